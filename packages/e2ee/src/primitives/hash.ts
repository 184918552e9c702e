import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import type { IHasher } from 'hash-wasm'
import type { Bytes } from '../encoding/bytes.ts'

/** Synchronous, in JavaScript: for keys and rare operations. */
export const sha256 = (bytes: Uint8Array): Bytes => nobleSha256(bytes) as Bytes

export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Bytes {
  const mac = hmac.create(nobleSha256, key)
  for (const part of parts) mac.update(part)
  return mac.digest() as Bytes
}

let loading: Promise<IHasher | undefined> | undefined

/**
 * One shared WebAssembly hasher: every use runs from init to digest without awaiting in between. Undefined where the
 * page's policy refuses WebAssembly.
 */
const load = () =>
  (loading ??= import('./wasmSha256.ts').then(({ createWasmSha256 }) => createWasmSha256()).catch(() => undefined))

/**
 * SHA-256 and HMAC-SHA-256 for messages, in WebAssembly where there is one: a round trip to WebCrypto costs Node six
 * times the hash, and JavaScript costs Chromium four times it (bench/e2ee.ts).
 */
export async function fastSha256(bytes: Bytes): Promise<Bytes> {
  const hasher = await load()
  return hasher ? (hasher.init().update(bytes).digest('binary') as Bytes) : sha256(bytes)
}

/** HMAC of the concatenated parts. `key` has at most 64 bytes. */
export async function fastHmacSha256(key: Bytes, ...parts: readonly Bytes[]): Promise<Bytes> {
  const hasher = await load()
  return hasher ? hmacWith(hasher, key, parts) : hmacSha256(key, ...parts)
}

const blockBytes = 64
const pads = new Uint8Array(2 * blockBytes + 32)
const inner = pads.subarray(0, blockBytes)
const outer = pads.subarray(blockBytes)

/** RFC 2104. hash-wasm has one too, but takes new memory for every key, which costs as much as half the hash. */
function hmacWith(hasher: IHasher, key: Bytes, parts: readonly Bytes[]): Bytes {
  inner.fill(0x36)
  outer.fill(0x5c)
  for (let i = 0; i < key.length; i++) {
    inner[i] = 0x36 ^ (key[i] as number)
    outer[i] = 0x5c ^ (key[i] as number)
  }
  hasher.init().update(inner)
  for (const part of parts) hasher.update(part)
  outer.set(hasher.digest('binary'), blockBytes)
  const code = hasher.init().update(outer).digest('binary') as Bytes
  pads.fill(0)
  return code
}
