import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Bytes, concat, equalBytes } from '../encoding/bytes.ts'

/** Ed25519 in JavaScript, loaded only where WebCrypto has none. */
export const publicKeyOf = (seed: Bytes): Bytes => ed25519.getPublicKey(seed) as Bytes

export const sign = (seed: Bytes, message: Bytes): Bytes => ed25519.sign(message, seed) as Bytes

const { Point } = ed25519
const order = Point.Fn.ORDER

/** The encoding of SB - hA, or undefined where S is not reduced or the key is no point of the curve. */
function expectedR(publicKey: Bytes, signature: Bytes, message: Bytes): Uint8Array | undefined {
  const s = bytesToNumberLE(signature.subarray(32))
  if (s >= order) return undefined
  const h = bytesToNumberLE(sha512(concat(signature.subarray(0, 32), publicKey, message))) % order
  try {
    const hA = Point.fromBytes(publicKey).multiplyUnsafe(h)
    return Point.BASE.multiplyUnsafe(s).subtract(hA).toBytes()
  } catch {
    return undefined
  }
}

/**
 * RFC 8032 without the cofactor: R must be the encoding of SB - hA, which is what WebCrypto's implementations compare.
 * The library's own check multiplies by 8 and so accepts signatures that WebCrypto refuses.
 */
export function isSignature(publicKey: Bytes, signature: Bytes, message: Bytes): boolean {
  const expected = expectedR(publicKey, signature, message)
  return expected !== undefined && equalBytes(expected, signature.subarray(0, 32))
}
