import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'

export interface PublicKey {
  /** `SHA256:` and the hash of the key's 32 bytes in base64url. */
  fingerprint: string
  /** Whether it is the pinned key, given as the key or its fingerprint; true where none is pinned. */
  matches(pinned: string | undefined): boolean
  /** `signature` is the value read from the file, of any type. */
  verifies(text: string, signature: unknown): boolean
}

/** Reads base64url; undefined if it is not an Ed25519 key. */
export function readPublicKey(text: unknown): PublicKey | undefined {
  if (typeof text !== 'string' || !/^[\w-]{43}$/.test(text)) return undefined
  let key: KeyObject
  try {
    key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
  } catch {
    return undefined
  }
  const fingerprint = fingerprintOf(text)
  return {
    fingerprint,
    matches: (pinned) => pinned === undefined || pinned === text || pinned === fingerprint,
    verifies(signed, signature) {
      if (typeof signature !== 'string') return false
      // Accepts only the canonical base64url: the unused bits of the last character must be zero.
      const bytes = Buffer.from(signature, 'base64url')
      return bytes.toString('base64url') === signature && verify(null, Buffer.from(signed), key, bytes)
    },
  }
}

export const fingerprintOf = (key: string): string =>
  `SHA256:${hash('sha256', Buffer.from(key, 'base64url'), 'base64url')}`

/** Accepts only the canonical base64url of 32 bytes: the unused bits of the last character must be zero. */
export function isHash(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 32 && bytes.toString('base64url') === text
}
