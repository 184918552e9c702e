import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, integerBytes, toUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { type EpochKey, epochPublicKey, verifyEpoch } from '../keys/epoch.ts'
import { deriveEpochKey } from '../keys/epochSeed.ts'
import { E2eeError } from '../errors.ts'
import { hashFileKey } from './fileKey.ts'
import { openSealed, sealedKeyBytes, sealTo } from '../primitives/hpke.ts'
import { idBytes } from '../encoding/id.ts'
import type { Identity } from '../keys/identity.ts'
import { sign, verify } from '../primitives/signatures.ts'

/** The file key sealed for the requester's epoch and signed by the owner, as it travels. */
export interface Grant {
  epochTo: number
  sealedKey: string
  signature: string
}

interface GrantBinding {
  filePath: string
  from: string
  to: string
  epochTo: number
  identityFrom: string
  identityTo: string
}

const fieldsOf = (binding: GrantBinding): Bytes[] => [
  toUtf8(binding.filePath),
  idBytes(binding.from),
  idBytes(binding.to),
  integerBytes(binding.epochTo, 4),
  fromBase64urlOf(binding.identityFrom, 32),
  fromBase64urlOf(binding.identityTo, 32),
]

const infoOf = (binding: GrantBinding) => encode('grant-key', fieldsOf(binding))
const signedBytes = (binding: GrantBinding, sealedKey: Bytes) => encode('grant', [...fieldsOf(binding), sealedKey])

/** `from` is the owner's user id. The epoch is verified first. Throws MALFORMED, BAD_SIGNATURE or WRONG_BINDING. */
export async function createGrant(options: {
  identity: Identity
  fileKey: Bytes
  filePath: string
  from: string
  to: { userId: string; identityKey: string; epoch: EpochKey }
}): Promise<Grant> {
  const { identity, fileKey, filePath, from, to } = options
  if (fileKey.length !== 32) throw new E2eeError('MALFORMED', 'A file key has 32 bytes.')
  if (to.epoch.userId !== to.userId) throw new E2eeError('WRONG_BINDING', 'The epoch key is of another user.')
  await verifyEpoch(to.identityKey, to.epoch)
  const participants = { from, to: to.userId, identityFrom: identity.publicKey, identityTo: to.identityKey }
  const binding = { filePath, epochTo: to.epoch.n, ...participants }
  const sealedKey = await sealTo(epochPublicKey(to.epoch), infoOf(binding), fileKey)
  const signature = await sign(identity.sign, signedBytes(binding, sealedKey))
  return { epochTo: to.epoch.n, sealedKey: toBase64url(sealedKey), signature: toBase64url(signature) }
}

/**
 * Returns the file key. `me.seed` is the seed of the requester's epoch `me.epoch`; `keyHash` is in the file message.
 * Throws MALFORMED, WRONG_BINDING, BAD_SIGNATURE, AUTHENTICATION_FAILED or HASH_MISMATCH.
 */
export async function openGrant(options: {
  grant: Grant
  filePath: string
  from: { userId: string; identityKey: string }
  me: { userId: string; identityKey: string; seed: Bytes; epoch: number }
  keyHash: string
}): Promise<Bytes> {
  const { grant, filePath, from, me, keyHash } = options
  if (grant.epochTo !== me.epoch) throw new E2eeError('WRONG_BINDING', 'The grant is for another epoch.')
  const participants = { from: from.userId, to: me.userId, identityFrom: from.identityKey, identityTo: me.identityKey }
  const binding = { filePath, epochTo: grant.epochTo, ...participants }
  const sealedKey = fromBase64urlOf(grant.sealedKey, sealedKeyBytes)
  await verify(from.identityKey, fromBase64urlOf(grant.signature, 64), signedBytes(binding, sealedKey))
  const fileKey = await openSealed(await deriveEpochKey(me.seed), infoOf(binding), sealedKey)
  if ((await hashFileKey(fileKey)) !== keyHash) {
    throw new E2eeError('HASH_MISMATCH', 'The key is not that of the file that was sent.')
  }
  return fileKey
}
