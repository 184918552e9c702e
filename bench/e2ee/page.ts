import { createFileKey } from '@privity/e2ee'
import { encryptFile } from '@privity/e2ee/fileEncryption'
import { createHasher } from '@privity/e2ee/fileHash'
import { fileBytes, measureFiles, segmentBytes } from './files.ts'
import { measureMessages } from './messages.ts'

/** Encrypts and hashes the chosen file piece by piece, keeping none; resolves with the ciphertext's size. */
async function encryptChosen(): Promise<number> {
  const file = document.querySelector('input')?.files?.[0]
  if (!file) throw new Error('No file was chosen.')
  const hasher = createHasher()
  let bytes = 0
  for await (const piece of encryptFile(createFileKey(), file.stream(), new Uint8Array(64))) {
    await hasher.update(piece)
    bytes += piece.length
  }
  await hasher.digest()
  return bytes
}

/**
 * WebCrypto alone: a hundred segments of 1 MiB, keeping none. The figure includes garbage that the browser has not yet
 * collected.
 */
async function encryptBare(): Promise<number> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
  const segment = new Uint8Array(segmentBytes - 16)
  let bytes = 0
  while (bytes < fileBytes) {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    bytes += (await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, segment)).byteLength
  }
  return bytes
}

/** The functions that bench/e2ee.ts calls in the page. */
const bench = { measureMessages, measureFiles, encryptChosen, encryptBare }
export type Bench = typeof bench
Object.assign(globalThis, { bench, ready: true })
