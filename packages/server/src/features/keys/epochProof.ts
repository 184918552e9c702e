import { createPublicKey, hash, verify } from 'node:crypto'
import { hashedEpochBytes, signedEpochBytes } from '@privity/contract/signedBytes'
import { AppError } from '@privity/contract/errors'
import type { EpochKey } from '@privity/contract/keys'

/** Browsers reject base64url that is not the canonical text of its bytes, so only canonical text is stored. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new AppError('INVALID_INPUT')
  return bytes
}

/** The `previousHash` of the next epoch. */
export const hashOfEpoch = (identityKey: string, epoch: EpochKey): string =>
  hash('sha256', hashedEpochBytes(identityKey, epoch, decode), 'base64url')

/** Whether the account's identity key signed the epoch: a session alone must not be able to publish one. */
export function isSigned(identityKey: string, epoch: EpochKey): boolean {
  const bytes = signedEpochBytes(identityKey, epoch, decode)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identityKey }, format: 'jwk' })
  return verify(null, bytes, key, decode(epoch.signature))
}
