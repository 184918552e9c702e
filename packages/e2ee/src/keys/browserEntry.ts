import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, integerBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { idBytes } from '../encoding/id.ts'
import { sha256 } from '../primitives/hash.ts'
import { hpkePublicKey, hpkePublicKeyBytes, openSealed, sealedKeyBytes, sealTo } from '../primitives/hpke.ts'
import { sign, verify } from '../primitives/signatures.ts'
import { type Identity, importIdentity } from './identity.ts'

// An entry point of its own, which is loaded once an account is open.

/**
 * A browser in its user's list, as it is sent. `n` counts the entries of this browser from 1, and goes on when the
 * identity is replaced. Each entry names a new pair, by its public key `kemKey`, to which seeds of epochs are sealed,
 * and a new signing key `signKey`.
 */
export interface BrowserEntry {
  userId: string
  browserId: string
  n: number
  kemKey: string
  signKey: string
  createdAt: number
  /** By the user's identity. */
  signature: string
  /** Over the link of this entry, by the signing key of entry n - 1, or by its own if n is 1. */
  browserSignature: string
}

/** The part of an entry that the signing key of the entry before it signs, so that others can follow the keys. */
export interface BrowserLink {
  n: number
  signKey: string
  entryHash: string
  signature: string
}

type UnsignedEntry = Omit<BrowserEntry, 'signature' | 'browserSignature'>

/** The removal of a browser, whose id never returns. */
export interface BrowserRemoval {
  userId: string
  browserId: string
  createdAt: number
  signature: string
}

function signedBytes(identityKey: string, entry: UnsignedEntry): Bytes {
  if (entry.n < 1) throw new E2eeError('MALFORMED', 'The entries of a browser are numbered from 1.')
  return encode('browser', [
    idBytes(entry.userId),
    fromBase64urlOf(identityKey, 32),
    idBytes(entry.browserId),
    integerBytes(entry.n, 4),
    fromBase64urlOf(entry.kemKey, hpkePublicKeyBytes),
    fromBase64urlOf(entry.signKey, 32),
    integerBytes(entry.createdAt, 8),
  ])
}

/** The hash of an entry: base64url of SHA-256 over signed bytes and signature. */
export function browserEntryHash(identityKey: string, entry: Omit<BrowserEntry, 'browserSignature'>): string {
  const fields = [signedBytes(identityKey, entry), fromBase64urlOf(entry.signature, 64)]
  return toBase64url(sha256(encode('browser-hash', fields)))
}

const linkBytes = (
  { userId, browserId }: Pick<BrowserEntry, 'userId' | 'browserId'>,
  { n, signKey, entryHash }: Omit<BrowserLink, 'signature'>,
) =>
  encode('browser-link', [
    idBytes(userId),
    idBytes(browserId),
    integerBytes(n, 4),
    fromBase64urlOf(signKey, 32),
    fromBase64urlOf(entryHash, 32),
  ])

export const toBrowserLink = (identityKey: string, entry: BrowserEntry): BrowserLink => ({
  n: entry.n,
  signKey: entry.signKey,
  entryHash: browserEntryHash(identityKey, entry),
  signature: entry.browserSignature,
})

/** The public key of a pair, whose private key is any 32 random bytes. */
export const browserPublicKey = async (kemSeed: Bytes): Promise<string> => toBase64url(await hpkePublicKey(kemSeed))

/** The private keys of one entry, each any 32 random bytes. */
export interface BrowserSeeds {
  kemSeed: Bytes
  signSeed: Bytes
}

/** Creates entry `n` of a browser. `signer`: the signing seed of the entry before it; its own where `n` is 1. */
export async function createBrowserEntry(options: {
  identity: Identity
  userId: string
  browserId: string
  n: number
  seeds: BrowserSeeds
  signer: Bytes
  createdAt: number
}): Promise<BrowserEntry> {
  const { identity, userId, browserId, n, seeds, createdAt } = options
  const [kemKey, signKey, by] = await Promise.all([
    browserPublicKey(seeds.kemSeed),
    browserSignKey(seeds.signSeed),
    importIdentity(options.signer),
  ])
  if (n === 1 && by.publicKey !== signKey)
    throw new E2eeError('WRONG_BINDING', 'The first entry is signed by its own key.')
  const unsigned = { userId, browserId, n, kemKey, signKey, createdAt }
  const signature = toBase64url(await sign(identity.sign, signedBytes(identity.publicKey, unsigned)))
  const entryHash = browserEntryHash(identity.publicKey, { ...unsigned, signature })
  const link = linkBytes(unsigned, { n, signKey, entryHash })
  return { ...unsigned, signature, browserSignature: toBase64url(await sign(by.sign, link)) }
}

/**
 * Verifies that `identityKey` signed the entry. Throws MALFORMED or BAD_SIGNATURE. Compare `userId` and `browserId`
 * with those you asked for. Before you seal to the browser, call `verifyBrowserLinks` too.
 */
export async function verifyBrowserEntry(identityKey: string, entry: BrowserEntry): Promise<void> {
  await verify(identityKey, fromBase64urlOf(entry.signature, 64), signedBytes(identityKey, entry))
}

/**
 * Verifies that these links follow the entry `known` without a gap, each signed by the key before it. Throws MALFORMED,
 * BAD_SIGNATURE or WRONG_BINDING.
 */
export async function verifyBrowserLinks(
  browser: Pick<BrowserEntry, 'userId' | 'browserId'>,
  known: Pick<BrowserLink, 'n' | 'signKey'>,
  links: readonly BrowserLink[],
): Promise<void> {
  let before = known
  for (const link of links) {
    if (link.n !== before.n + 1) throw new E2eeError('WRONG_BINDING', 'A link is missing.')
    await verify(before.signKey, fromBase64urlOf(link.signature, 64), linkBytes(browser, link))
    before = link
  }
}

/** The public signing key of an entry. */
export const browserSignKey = async (signSeed: Bytes): Promise<string> => (await importIdentity(signSeed)).publicKey

/** Signs, with the signing key of the newest entry, that the session belongs to the browser. */
export async function signBrowserSession(
  signSeed: Bytes,
  { userId, sessionId, browserId }: { userId: string; sessionId: string; browserId: string },
): Promise<string> {
  const bytes = encode('browser-session', [idBytes(userId), idBytes(sessionId), idBytes(browserId)])
  return toBase64url(await sign((await importIdentity(signSeed)).sign, bytes))
}

const removedBytes = (identityKey: string, { userId, browserId, createdAt }: Omit<BrowserRemoval, 'signature'>) =>
  encode('browser-removed', [
    idBytes(userId),
    fromBase64urlOf(identityKey, 32),
    idBytes(browserId),
    integerBytes(createdAt, 8),
  ])

export async function createBrowserRemoval(
  identity: Identity,
  removed: Omit<BrowserRemoval, 'signature'>,
): Promise<BrowserRemoval> {
  const signature = await sign(identity.sign, removedBytes(identity.publicKey, removed))
  return { ...removed, signature: toBase64url(signature) }
}

/** Throws MALFORMED or BAD_SIGNATURE. */
export async function verifyBrowserRemoval(identityKey: string, removal: BrowserRemoval): Promise<void> {
  await verify(identityKey, fromBase64urlOf(removal.signature, 64), removedBytes(identityKey, removal))
}

/** The mode of the user's browsers: whether seeds are sealed to listed ones only. `n` counts the changes. */
interface Mode {
  userId: string
  onlyApproved: boolean
  n: number
}

const modeBytes = (identityKey: string, { userId, onlyApproved, n }: Mode) =>
  encode('browser-mode', [
    idBytes(userId),
    fromBase64urlOf(identityKey, 32),
    integerBytes(onlyApproved ? 1 : 0, 4),
    integerBytes(n, 4),
  ])

export const signBrowserMode = async (identity: Identity, mode: Mode): Promise<string> =>
  toBase64url(await sign(identity.sign, modeBytes(identity.publicKey, mode)))

/** Throws MALFORMED or BAD_SIGNATURE. */
export async function verifyBrowserMode(identityKey: string, mode: Mode, signature: string): Promise<void> {
  await verify(identityKey, fromBase64urlOf(signature, 64), modeBytes(identityKey, mode))
}

/** Signs the approval of entry `n` of a browser, to whose pair `seeds` are sealed. */
export async function signApproval(
  identity: Identity,
  { userId, browserId, n }: { userId: string; browserId: string; n: number },
  seeds: readonly { n: number; sealed: string }[],
): Promise<string> {
  const sealed = seeds.flatMap((seed) => [integerBytes(seed.n, 4), fromBase64urlOf(seed.sealed, sealedKeyBytes)])
  const fields = [
    idBytes(userId),
    fromBase64urlOf(identity.publicKey, 32),
    idBytes(browserId),
    integerBytes(n, 4),
    sha256(encode('sealed-seeds', sealed)),
  ]
  return toBase64url(await sign(identity.sign, encode('browser-approval', fields)))
}

/** The pair of the recovery key, to which seeds are sealed as to a browser whose id is that of the user. */
export interface RecoveryPair {
  kemKey: string
  signature: string
}

const recoveryBytes = (identityKey: string, userId: string, kemKey: string) =>
  encode('recovery-browser', [
    idBytes(userId),
    fromBase64urlOf(identityKey, 32),
    fromBase64urlOf(kemKey, hpkePublicKeyBytes),
  ])

/** `kemSeed`: that of `deriveRecoverySeed`. */
export async function createRecoveryPair(identity: Identity, userId: string, kemSeed: Bytes): Promise<RecoveryPair> {
  const kemKey = await browserPublicKey(kemSeed)
  const signature = await sign(identity.sign, recoveryBytes(identity.publicKey, userId, kemKey))
  return { kemKey, signature: toBase64url(signature) }
}

/** Throws MALFORMED or BAD_SIGNATURE. */
export async function verifyRecoveryPair(identityKey: string, userId: string, pair: RecoveryPair): Promise<void> {
  await verify(identityKey, fromBase64urlOf(pair.signature, 64), recoveryBytes(identityKey, userId, pair.kemKey))
}

/** The binding of a seed that is sealed to a browser: epoch `n` of the user. */
export interface SealedSeedBinding {
  userId: string
  n: number
  browserId: string
}

const seedInfo = ({ userId, n, browserId }: SealedSeedBinding) =>
  encode('epoch-seed', [idBytes(userId), integerBytes(n, 4), idBytes(browserId)])

/** Seals the seed of an epoch to the pair of a browser, whose entry has been verified. */
export async function sealSeed(kemKey: string, binding: SealedSeedBinding, seed: Bytes): Promise<string> {
  if (seed.length !== 32) throw new E2eeError('MALFORMED', 'The seed of an epoch has 32 bytes.')
  return toBase64url(await sealTo(fromBase64urlOf(kemKey, hpkePublicKeyBytes), seedInfo(binding), seed))
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export const openSeed = async (kemSeed: Bytes, binding: SealedSeedBinding, sealed: string): Promise<Bytes> =>
  openSealed(kemSeed, seedInfo(binding), fromBase64urlOf(sealed, sealedKeyBytes))
