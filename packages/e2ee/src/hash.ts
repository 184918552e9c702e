import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { createHMAC, createSHA256, type IHasher } from 'hash-wasm'
import type { Bytes } from './bytes.ts'

/** Synchronous, in JavaScript: for keys and what is done seldom. */
export const sha256 = (bytes: Uint8Array): Bytes => nobleSha256(bytes) as Bytes

let loading: Promise<IHasher> | undefined

/** One WebAssembly hasher for all: whoever has it uses it from init to digest without waiting in between. */
const load = () => (loading ??= createSHA256())

/**
 * SHA-256 and HMAC-SHA-256 for messages, in WebAssembly where the page's policy allows it: a round trip to WebCrypto
 * costs Node six times the hash, and JavaScript costs Chromium four times it (bench/e2ee.ts).
 */
export async function fastSha256(bytes: Bytes): Promise<Bytes> {
  const hasher = await load().catch(() => undefined)
  if (!hasher) return sha256(bytes)
  return hasher.init().update(bytes).digest('binary') as Bytes
}

/** Of the parts one after the other. */
export async function fastHmacSha256(key: Bytes, ...parts: readonly Bytes[]): Promise<Bytes> {
  const mac = await createHMAC(load(), key).catch(() => undefined)
  if (!mac) return hmacSha256(key, ...parts)
  mac.init()
  for (const part of parts) mac.update(part)
  return mac.digest('binary') as Bytes
}

export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Bytes {
  const mac = hmac.create(nobleSha256, key)
  for (const part of parts) mac.update(part)
  return mac.digest() as Bytes
}
