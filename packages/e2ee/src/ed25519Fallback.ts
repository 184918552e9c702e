import { ed25519 } from '@noble/curves/ed25519.js'
import type { Bytes } from './bytes.ts'

/** Ed25519 in JavaScript, loaded only where WebCrypto has none. */
export const publicKeyOf = (seed: Bytes): Bytes => ed25519.getPublicKey(seed) as Bytes

export const sign = (seed: Bytes, message: Bytes): Bytes => ed25519.sign(message, seed) as Bytes

/** Strict: RFC 8032, not the looser ZIP 215. */
export function isSignature(publicKey: Bytes, signature: Bytes, message: Bytes): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
