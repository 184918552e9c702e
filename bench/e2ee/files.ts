import { createFileKey, randomBytes } from '@privity/e2ee'
import { decryptFile, encryptFile } from '@privity/e2ee/fileEncryption'
import { createHasher } from '@privity/e2ee/fileHash'
import { compare, type Comparison } from './compare.ts'

export const fileBytes = 100 * 1024 * 1024
export const segmentBytes = 1024 * 1024
const chunkBytes = 256 * 1024
const aad = new Uint8Array(64)

/** 100 MB in chunks of the size in which browsers read files. */
async function* plaintext() {
  const chunk = new Uint8Array(chunkBytes).fill(7)
  for (let sent = 0; sent < fileBytes; sent += chunkBytes) yield chunk
}

async function drain(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) bytes += piece.length
  return bytes
}

async function bareSegments() {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const segment = new Uint8Array(segmentBytes - 16).fill(7)
  const iv = randomBytes(12)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, segment)
  const lengths = Array.from({ length: Math.ceil(fileBytes / segment.length) }, (_, index) =>
    Math.min(segment.length, fileBytes - index * segment.length),
  )
  const encrypt = (length: number) => crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, segment.subarray(0, length))
  const one = async () => {
    for (const length of lengths) await encrypt(length)
  }
  /** Starts the next segment before the previous one is done. */
  const two = async () => {
    let pending = Promise.resolve(new ArrayBuffer(0))
    for (const length of lengths) {
      const next = encrypt(length)
      await pending
      pending = next
    }
    await pending
  }
  const openTwo = async () => {
    let pending = Promise.resolve(new ArrayBuffer(0))
    for (let index = 0; index < lengths.length; index++) {
      const next = crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed)
      await pending
      pending = next
    }
    await pending
  }
  return { one, two, openTwo }
}

/**
 * Compares encrypting 100 MB with WebCrypto's AES-256-GCM alone over the same 1 MiB segments: in sequence, as we do,
 * and with two in flight; each with the SHA-256 of the ciphertext that the file message carries.
 */
export async function measureFiles(rounds: number): Promise<Comparison[]> {
  const fileKey = createFileKey()
  const bare = await bareSegments()
  const encrypt = () => drain(encryptFile(fileKey, plaintext(), aad))
  const encryptAndHash = async () => {
    const hasher = createHasher()
    for await (const piece of encryptFile(fileKey, plaintext(), aad)) await hasher.update(piece)
    return hasher.digest()
  }
  const sealed: Uint8Array[] = []
  for await (const piece of encryptFile(fileKey, plaintext(), aad)) sealed.push(piece)
  const decrypt = () => drain(decryptFile(fileKey, toAsync(sealed), aad))
  const options = { operations: 1, rounds, warmUp: 1 }
  return [
    await compare('file 100 MB: encrypt, bare one by one', bare.one, encrypt, options),
    await compare('file 100 MB: encrypt, bare two at once (beside)', bare.two, encrypt, options),
    await compare('file 100 MB: encrypt and hash, bare one by one (beside)', bare.one, encryptAndHash, options),
    await compare('file 100 MB: decrypt, bare two at once (beside)', bare.openTwo, decrypt, options),
  ]
}

async function* toAsync(pieces: readonly Uint8Array[]) {
  yield* pieces
}
