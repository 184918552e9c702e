import { createPublicKey, verify } from 'node:crypto'
import { AppError } from '@privity/contract/errors'

/** Browsers reject base64url that is not the canonical text of its bytes, so only canonical text is stored. */
export function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new AppError('INVALID_INPUT')
  return bytes
}

export const invalid = (path: string, message: string) =>
  new AppError('INVALID_INPUT', { details: [{ path, message }] })

export function isSignedBy(identityKey: string, bytes: Uint8Array, signature: string | Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identityKey }, format: 'jwk' })
  return verify(null, bytes, key, typeof signature === 'string' ? decode(signature) : signature)
}
