import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, integerBytes, randomBytes } from '../encoding/bytes.ts'
import { encode, encodeVersion } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { sha256 } from '../primitives/hash.ts'
import { deriveEpochKey } from './epochSeed.ts'
import { hpkePublicKey, hpkePublicKeyBytes } from '../primitives/hpke.ts'
import { idBytes } from '../encoding/id.ts'
import type { Identity } from './identity.ts'
import { sign, verify } from '../primitives/signatures.ts'

/** The time for which messages are sealed to one epoch. */
const durationMs = 8 * 60 * 60 * 1000

/** The form of the signed bytes. */
const form = 2

/**
 * A published epoch key as it travels: base64url texts, times in milliseconds, `n` from 1. Messages are sealed to it
 * from `startsAt` to `endsAt`; it may be created days before. `features`: bits that no version gives a meaning yet.
 */
export interface EpochKey {
  userId: string
  n: number
  publicKey: string
  createdAt: number
  startsAt: number
  endsAt: number
  previousHash: string
  features: number
  signature: string
}

const noPrevious = toBase64url(new Uint8Array(32))

function signedBytes(identityKey: string, epoch: Omit<EpochKey, 'signature'>): Bytes {
  if (epoch.n < 1) throw new E2eeError('MALFORMED', 'Epochs are numbered from 1.')
  if (epoch.endsAt !== epoch.startsAt + durationMs) throw new E2eeError('MALFORMED', 'An epoch lasts 8 hours.')
  return encodeVersion('epoch', form, [
    idBytes(epoch.userId),
    fromBase64urlOf(identityKey, 32),
    integerBytes(epoch.n, 4),
    fromBase64urlOf(epoch.publicKey, hpkePublicKeyBytes),
    integerBytes(epoch.createdAt, 8),
    integerBytes(epoch.startsAt, 8),
    integerBytes(epoch.endsAt, 8),
    fromBase64urlOf(epoch.previousHash, 32),
    integerBytes(epoch.features, 4),
  ])
}

/** The `previousHash` of the next epoch: base64url of SHA-256 over the signed bytes and the signature. */
function hashOf(identityKey: string, epoch: EpochKey): string {
  const fields = [signedBytes(identityKey, epoch), fromBase64urlOf(epoch.signature, 64)]
  return toBase64url(sha256(encode('epoch-hash', fields)))
}

/** The public key of an epoch, once verifyEpoch has passed. */
export const epochPublicKey = (epoch: EpochKey): Bytes => fromBase64urlOf(epoch.publicKey, hpkePublicKeyBytes)

/** Whether the epoch's public key follows from the seed. Whoever chose another seed could open what it seals. */
export const isSeedOf = async ({ publicKey }: Pick<EpochKey, 'publicKey'>, seed: Bytes): Promise<boolean> =>
  publicKey === toBase64url(await hpkePublicKey(await deriveEpochKey(seed)))

/**
 * Creates an epoch of `identity`, which lasts from `startsAt` for 8 hours. `previous` is the user's epoch n - 1, absent
 * for the first; `previousIdentityKey` signed it, if that was another identity. The seed is for sealPrivate.
 */
export async function createEpoch(options: {
  identity: Identity
  userId: string
  n: number
  createdAt: number
  startsAt: number
  previous?: EpochKey
  previousIdentityKey?: string
}): Promise<{ epoch: EpochKey; seed: Bytes }> {
  const { identity, userId, n, createdAt, startsAt, previous, previousIdentityKey = identity.publicKey } = options
  const seed = randomBytes(32)
  const publicKey = toBase64url(await hpkePublicKey(await deriveEpochKey(seed)))
  const previousHash = previous ? hashOf(previousIdentityKey, previous) : noPrevious
  const times = { createdAt, startsAt, endsAt: startsAt + durationMs }
  const unsigned = { userId, n, publicKey, ...times, previousHash, features: 0 }
  const signed = signedBytes(identity.publicKey, unsigned)
  checkChain(previousIdentityKey, unsigned, previous)
  const signature = await sign(identity.sign, signed)
  return { epoch: { ...unsigned, signature: toBase64url(signature) }, seed }
}

/**
 * Checks that an epoch after the first follows the one before it, if given, which `previousIdentityKey` signed. Number
 * and hash order the chain, not the times: the clock that dated an epoch may have been ahead, and the first epoch of a
 * new identity begins before those that lie ahead of it.
 */
function checkChain(
  previousIdentityKey: string,
  epoch: Omit<EpochKey, 'signature'>,
  previous: EpochKey | undefined,
): void {
  const follows = previous
    ? previous.userId === epoch.userId &&
      previous.n + 1 === epoch.n &&
      hashOf(previousIdentityKey, previous) === epoch.previousHash
    : (epoch.n === 1) === (epoch.previousHash === noPrevious)
  if (!follows) throw new E2eeError('WRONG_BINDING', 'The epoch does not follow the one before it.')
}

/**
 * Verifies that `identityKey` signed the epoch, and that it follows `previous` if given, which `previousIdentityKey`
 * signed if it was another identity. Throws MALFORMED, BAD_SIGNATURE or WRONG_BINDING. Compare `epoch.userId` and `n`
 * with those you asked for.
 */
export async function verifyEpoch(
  identityKey: string,
  epoch: EpochKey,
  previous?: EpochKey,
  previousIdentityKey: string = identityKey,
): Promise<void> {
  await verify(identityKey, fromBase64urlOf(epoch.signature, 64), signedBytes(identityKey, epoch))
  checkChain(previousIdentityKey, epoch, previous)
}
