import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import type {
  BrowserEntry,
  BrowserLink,
  BrowserRemoval,
  BrowserRenewal,
  SealedSeed,
  Sealing,
} from '@privity/contract/browserKeys'
import { browsers } from '@privity/contract/browsers'
import { keys, type OwnKeys } from '@privity/contract/keys'
import {
  hashedBrowserBytes,
  sealedSeedsBytes,
  signedApprovalBytes,
  signedBrowserBytes,
  signedBrowserModeBytes,
  signedLinkBytes,
  signedRemovalBytes,
  signedSessionBytes,
} from '@privity/contract/signedBytes'
import { session } from '@privity/contract/session'
import { newId } from '../../../src/core/ids.ts'
import { makeEpoch, random, signAs, wrapped } from '../server/memberKeys.ts'
import { startOfTests } from '../server/fakeClock.ts'
import type { Member, TestServer } from '../server/testServer.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

/** The signing key of an entry: its browser, and its number, 1 unless given. */
export interface Signer {
  browserId: string
  n?: number
}

const browserKeys = new Map<string, { signKey: string; key: KeyObject }>()

/** The signing key of an entry, a new one for each. */
export function browserKeyOf({ browserId, n = 1 }: Signer): { signKey: string; key: KeyObject } {
  const name = `${browserId}/${n}`
  const known = browserKeys.get(name)
  if (known) return known
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519')
  const created = { signKey: publicKey.export({ format: 'jwk' }).x as string, key }
  browserKeys.set(name, created)
  return created
}

const signAsBrowser = (signer: Signer, bytes: Uint8Array): string =>
  sign(null, bytes, browserKeyOf(signer).key).toString('base64url')

/** The link of an entry, signed by `signer`. */
export function makeLink(
  identityKey: string,
  entry: Omit<BrowserEntry, 'browserSignature'>,
  signer: Signer,
): BrowserLink {
  const entryHash = hash('sha256', hashedBrowserBytes(identityKey, entry, decode), 'base64url')
  const link = { n: entry.n, signKey: entry.signKey, entryHash }
  return { ...link, signature: signAsBrowser(signer, signedLinkBytes(entry, link, decode)) }
}

/** The signature that binds the session of this member to a browser, with the key of its first entry or another one. */
export async function sessionSignature(
  member: Member,
  browserId: string,
  signer: Signer = { browserId },
): Promise<string> {
  const { id: sessionId } = (await member.call(session.getUser, {})).session
  return signAsBrowser(signer, signedSessionBytes({ userId: member.user.id, sessionId, browserId }))
}

/** The call by which a browser lists itself in the session of this member. */
export const renewal = async (
  member: Member,
  entry: BrowserEntry,
  change: Partial<BrowserRenewal> = {},
): Promise<{ body: BrowserRenewal }> => ({
  body: {
    entry,
    seen: [],
    seeds: [],
    sessionSignature: await sessionSignature(member, entry.browserId, entry),
    ...change,
  },
})

/** The call by which a browser binds the session of this member to itself. */
export const binding = async (member: Member, browserId: string, signer?: Signer) => ({
  params: { id: browserId },
  body: { sessionSignature: await sessionSignature(member, browserId, signer) },
})

/** Entry `n` of a browser under an identity key that is not the user's yet. */
export function signEntry(
  by: { identityKey: string; key: KeyObject },
  entry: Pick<BrowserEntry, 'userId' | 'browserId' | 'createdAt' | 'n'>,
  signer: Signer = { ...entry, n: Math.max(1, entry.n - 1) },
): BrowserEntry {
  const unsigned = { ...entry, kemKey: random(1216), signKey: browserKeyOf(entry).signKey }
  const bytes = signedBrowserBytes(by.identityKey, unsigned, decode)
  const signature = sign(null, bytes, by.key).toString('base64url')
  const { signature: browserSignature } = makeLink(by.identityKey, { ...unsigned, signature }, signer)
  return { ...unsigned, signature, browserSignature }
}

/**
 * The next entry of a browser, the first one without `previous`, signed by the user's identity key and by the signing
 * key of the entry before it, or by that of `signer`.
 */
export function makeEntry(
  { user, keys: own }: Member,
  browserId: string,
  previous?: BrowserEntry,
  change: Partial<BrowserEntry> = {},
  signer: Signer = { browserId, n: previous?.n ?? 1 },
): BrowserEntry {
  const identityKey = own?.identityKey as string
  const n = (previous?.n ?? 0) + 1
  const { signKey } = browserKeyOf({ browserId, n })
  const unsigned = { userId: user.id, browserId, n, kemKey: random(1216), signKey, createdAt: startOfTests, ...change }
  const signature = signAs(user.id, signedBrowserBytes(identityKey, unsigned, decode))
  return {
    ...unsigned,
    signature,
    browserSignature: makeLink(identityKey, { ...unsigned, signature }, signer).signature,
  }
}

export function makeRemoval({ user, keys: own }: Member, browserId: string, userId = user.id): BrowserRemoval {
  const unsigned = { userId, browserId, createdAt: startOfTests }
  const bytes = signedRemovalBytes(own?.identityKey as string, unsigned, decode)
  return { ...unsigned, signature: signAs(user.id, bytes) }
}

/** Seeds of these epochs, sealed to each of these browsers. */
export const sealTo = (browserIds: readonly string[], epochs: readonly number[]): SealedSeed[] =>
  epochs.flatMap((n) => browserIds.map((browserId) => ({ n, browserId, sealed: random(1168) })))

export const ownKeysOf = (member: Member, browserId?: string): Promise<OwnKeys> =>
  member.call(keys.getOwn, { query: browserId === undefined ? {} : { browser: browserId } })

/** The epochs whose seeds are sealed to a browser. */
export const numbersSealedTo = async (member: Member, browserId: string): Promise<number[]> =>
  (await ownKeysOf(member, browserId)).epochs.flatMap(({ n, sealedSeed }) => (sealedSeed ? [n] : []))

/** The same member in another browser. */
export async function signInElsewhere(server: TestServer, member: Member): Promise<Member> {
  const visitor = server.visitor()
  const { password } = member
  await visitor.call(session.login, { body: { username: member.user.username, password } })
  return { ...member, ...visitor }
}

/** Lists a new browser for this session. */
export async function listBrowser(member: Member, browserId?: string, createdAt = startOfTests): Promise<BrowserEntry> {
  const entry = makeEntry(member, browserId ?? newId(createdAt), undefined, { createdAt })
  await member.call(browsers.putOwn, await renewal(member, entry))
  return entry
}

/** The body that switches the mode on, with every live seed for every listed browser. */
export async function switchingOn(member: Member) {
  const own = await ownKeysOf(member)
  const listed = own.browsers.browsers.map(({ browserId, n }) => ({ browserId, n }))
  const numbers = own.epochs.map(({ n }) => n)
  const after = numbers.at(-1) as number
  const seeds = sealTo([member.user.id, ...listed.map(({ browserId }) => browserId)], numbers)
  return {
    ...signMode(member, true, own.browsers.mode.n + 1),
    onlyApproved: true as const,
    after,
    listed,
    recovery: own.browsers.recovery.signature,
    seeds,
    damaged: [] as number[],
  }
}

/** The mode with its number and the signature of the member's identity key. */
export const signMode = ({ user, keys: own }: Member, onlyApproved: boolean, n: number) => {
  const bytes = signedBrowserModeBytes(own?.identityKey as string, { userId: user.id, onlyApproved, n }, decode)
  return { onlyApproved, n, signature: signAs(user.id, bytes) }
}

/** The body that approves entry `n` of a browser with these seeds. */
export function approval({ user, keys: own }: Member, browserId: string, n: number, seeds: SealedSeed[]) {
  const seedsHash = hash('sha256', sealedSeedsBytes(seeds, decode), 'buffer')
  const approved = { userId: user.id, browserId, n, seedsHash }
  return { n, seeds, signature: signAs(user.id, signedApprovalBytes(own?.identityKey as string, approved, decode)) }
}

export const switchOn = async (member: Member): Promise<void> =>
  void (await member.call(browsers.setMode, { body: await switchingOn(member) }))

export async function switchOff(member: Member): Promise<void> {
  const { epochs, browsers: list } = await ownKeysOf(member)
  const after = epochs.at(-1)?.n as number
  const all = epochs.map(({ n }) => ({ n, wrappedSeed: wrapped() }))
  const mode = signMode(member, false, list.mode.n + 1)
  const body = { ...mode, onlyApproved: false, after, wrapped: all } as const
  await member.call(browsers.setMode, { body })
}

/**
 * A publication in the mode "Only approved browsers": one epoch, from now unless `startsAt` is given, and the next
 * entry of this browser.
 */
export async function makeSealedPublication(
  member: Member,
  now: number,
  previous: BrowserEntry,
  change: Partial<BrowserRenewal> = {},
  startsAt: number = now,
): Promise<{ epochs: ReturnType<typeof withoutSeed>[]; sealing: Sealing }> {
  const own = await ownKeysOf(member, previous.browserId)
  const n = (own.epochs.at(-1)?.n ?? 0) + 1
  const entry = makeEntry(member, previous.browserId, previous)
  const seen = own.epochs.filter(({ sealedSeed }) => sealedSeed !== undefined).map((epoch) => epoch.n)
  const listed = own.browsers.browsers.map((each) => ({ browserId: each.browserId, n: each.n }))
  const recipients = [member.user.id, ...listed.map(({ browserId }) => browserId)]
  const { body } = await renewal(member, entry, { seen, seeds: sealTo([previous.browserId], seen), ...change })
  return {
    epochs: [withoutSeed(makeEpoch(member.user.id, n, now, startsAt))],
    sealing: { renewal: body, listed, recovery: own.browsers.recovery.signature, seeds: sealTo(recipients, [n]) },
  }
}

function withoutSeed({ wrappedSeed: _none, ...epoch }: ReturnType<typeof makeEpoch>) {
  return epoch
}
