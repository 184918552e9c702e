import { createPublicKey, hash, verify } from 'node:crypto'
import { hashedEpochBytes, signedEpochBytes } from '@privity/contract/epochForm'
import { AppError } from '@privity/contract/errors'
import type { EpochKey } from '@privity/contract/keys'

/** Browsers refuse base64url that is not the one text of its bytes, so what is stored must be. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new AppError('INVALID_INPUT')
  return bytes
}

/** The `previousHash` of the epoch after this one. */
export const hashOfEpoch = (identityKey: string, epoch: EpochKey): string =>
  hash('sha256', hashedEpochBytes(identityKey, epoch, decode), 'base64url')

/** Whether the account's identity key signed the epoch: a session alone must not be able to publish one. */
export function isSigned(identityKey: string, epoch: EpochKey): boolean {
  const bytes = signedEpochBytes(identityKey, epoch, decode)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identityKey }, format: 'jwk' })
  return verify(null, bytes, key, decode(epoch.signature))
}
