import { type Bytes, createHasher, decryptFile, E2eeError, encryptFile } from '@privity/e2ee'
import { offlineError, toCallError } from '../transport/call.ts'

export interface SealJob {
  file: Blob
  fileKey: Bytes
  aad: Bytes
}

export interface OpenJob {
  /** Address of the ciphertext. */
  url: string
  fileKey: Bytes
  aad: Bytes
  /** What the file message says of the ciphertext. */
  bodyHash: string
  /** Bytes of the plain file, as the file message says. */
  size: number
  type: string
}

/** `done` counts plain bytes. */
export type OnProgress = (done: number) => void

/** The heavy work on files. In a browser a Worker does it; the functions below are what it runs. */
export interface FileCrypto {
  seal(job: SealJob, onProgress: OnProgress, signal: AbortSignal): Promise<{ ciphertext: Blob; bodyHash: string }>
  /** The whole plain file, once every segment, its end and its hash have passed. */
  open(job: OpenJob, onProgress: OnProgress, signal: AbortSignal): Promise<Blob>
}

/** Ciphertext goes into a Blob piece by piece, which browsers keep out of the tab's memory. */
export async function sealFile({ file, fileKey, aad }: SealJob, onProgress: OnProgress, signal: AbortSignal) {
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

/** The chunks as they come, each hashed on its way. A connection that breaks is a passing failure. */
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

export async function openFile(
  job: OpenJob,
  onProgress: OnProgress,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Blob> {
  const answer = await fetch(job.url, { credentials: 'include', signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw offlineError(cause)
  })
  if (!answer.ok || !answer.body) throw await toCallError(answer)
  const hasher = createHasher()
  const parts: Blob[] = []
  let done = 0
  for await (const segment of decryptFile(
    job.fileKey,
    read(answer.body, (chunk) => hasher.update(chunk)),
    job.aad,
  )) {
    signal.throwIfAborted()
    done += segment.length
    // No more than was announced is taken in.
    if (done > job.size) break
    parts.push(new Blob([segment]))
    onProgress(done)
  }
  if (done !== job.size || (await hasher.digest()) !== job.bodyHash) {
    throw new E2eeError('HASH_MISMATCH', 'The file is not the one that was sent.')
  }
  return new Blob(parts, { type: job.type })
}

/** In this thread: for Node, and where there is no Worker. */
export const createLocalFileCrypto = (fetch: typeof globalThis.fetch): FileCrypto => ({
  seal: sealFile,
  open: (job, onProgress, signal) => openFile(job, onProgress, signal, fetch),
})
