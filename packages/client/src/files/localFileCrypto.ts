import { E2eeError } from '@privity/e2ee'
import { decryptFile, encryptFile } from '@privity/e2ee/fileEncryption'
import { createHasher } from '@privity/e2ee/fileHash'
import { offlineError, toCallError } from '../transport/call.ts'
import type { DecryptJob, EncryptJob, FileCrypto, OnProgress } from './fileCrypto.ts'

/** Collects the ciphertext in Blobs, which browsers keep outside the tab's memory. */
export async function encryptBlob({ file, fileKey, aad }: EncryptJob, onProgress: OnProgress, signal: AbortSignal) {
  const hasher = createHasher()
  const parts: Blob[] = []
  let done = 0
  for await (const segment of encryptFile(fileKey, file.stream(), aad)) {
    signal.throwIfAborted()
    await hasher.update(segment)
    parts.push(new Blob([segment]))
    done += segment.length
    onProgress(Math.min(done, file.size))
  }
  signal.throwIfAborted()
  return { ciphertext: new Blob(parts), bodyHash: await hasher.digest() }
}

/** Yields the chunks as they arrive, each hashed. A broken connection is retryable. */
async function* read(body: ReadableStream<Uint8Array>, hash: (chunk: Uint8Array) => Promise<void>) {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw offlineError(cause)
      })
      if (done) return
      await hash(value)
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

export async function downloadAndDecrypt(
  job: DecryptJob,
  onProgress: OnProgress,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Blob> {
  const response = await fetch(job.url, { credentials: 'include', signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw offlineError(cause)
  })
  if (!response.ok || !response.body) throw await toCallError(response)
  const hasher = createHasher()
  const parts: Blob[] = []
  let done = 0
  for await (const segment of decryptFile(
    job.fileKey,
    read(response.body, (chunk) => hasher.update(chunk)),
    job.aad,
  )) {
    signal.throwIfAborted()
    done += segment.length
    // Never reads more than the announced size.
    if (done > job.size) break
    parts.push(new Blob([segment]))
    onProgress(done)
  }
  if (done !== job.size || (await hasher.digest()) !== job.bodyHash) {
    throw new E2eeError('HASH_MISMATCH', 'The file is not the one that was sent.')
  }
  return new Blob(parts, { type: job.type })
}

/** Runs in this thread: for Node, and without Workers. */
export const createLocalFileCrypto = (fetch: typeof globalThis.fetch): FileCrypto => ({
  encrypt: encryptBlob,
  decrypt: (job, onProgress, signal) => downloadAndDecrypt(job, onProgress, signal, fetch),
})
