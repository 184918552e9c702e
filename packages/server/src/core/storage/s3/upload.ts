import { Writable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { type S3Client, sha256 } from './client.ts'
import { toStorageError } from './errors.ts'
import { beginUpload, completeUpload, type MultipartUpload, type UploadedPart } from './multipart.ts'

/** Bytes of bodies that the uploads of one process hold in memory at one time. */
export interface UploadMemory {
  held: number
  readonly limit: number
}

/** S3 accepts parts of 5 MB or more. */
export const partBytes = 8 * 1024 * 1024
const maxPartsInFlight = 2
const minBufferBytes = 64 * 1024

type Part = ReturnType<typeof createPart>

/** Collects up to `partBytes` of a body in a buffer that grows, and is counted in `memory` until its release. */
function createPart(memory: UploadMemory) {
  let buffer = Buffer.alloc(0)
  let length = 0

  function grow(needed: number): void {
    if (needed <= buffer.length) return
    const size = Math.min(partBytes, Math.max(minBufferBytes, 2 ** Math.ceil(Math.log2(needed))))
    const more = size - buffer.length
    if (memory.held + more > memory.limit)
      throw new AppError('UNAVAILABLE', { cause: new Error('too many uploads at once for the memory they may use') })
    memory.held += more
    const grown = Buffer.allocUnsafeSlow(size)
    buffer.copy(grown, 0, 0, length)
    buffer = grown
  }

  return {
    isFull: () => length === partBytes,
    body: () => buffer.subarray(0, length),
    /** Takes the bytes that fit and returns the rest. */
    add(chunk: Buffer): Buffer {
      const taken = chunk.subarray(0, partBytes - length)
      grow(length + taken.length)
      taken.copy(buffer, length)
      length += taken.length
      return chunk.subarray(taken.length)
    },
    release(): void {
      memory.held -= buffer.length
      buffer = Buffer.alloc(0)
    },
  }
}

function requireEtag(etag: string | undefined): string {
  if (etag === undefined) throw new Error('the object store did not say what it stored')
  return etag
}

/**
 * Writes an object: by one PUT if its body fits into a part, otherwise by a multipart upload with two parts in flight
 * at a time. The object appears once all of it is stored and the store has confirmed that; after a failure or a destroy
 * nothing remains.
 */
export function createS3Object(s3: S3Client, key: string, memory: UploadMemory): Writable {
  const aborter = new AbortController()
  const { signal } = aborter
  const uploaded: UploadedPart[] = []
  const inFlight = new Set<Promise<void>>()
  let part = createPart(memory)
  let partCount = 0
  let size = 0
  let upload: Promise<MultipartUpload> | undefined
  let finishing: Promise<void> | undefined
  let isStored = false
  let isReplaced = false

  async function uploadPart(index: number, { body, release }: Part): Promise<void> {
    try {
      // Not aborted: an upload whose id is unknown could not be cancelled.
      upload ??= beginUpload(s3, key)
      const { id, hasChecksums } = await upload
      const checksum = hasChecksums ? sha256(body()) : undefined
      const query = { partNumber: String(index + 1), uploadId: id }
      const request = { method: 'PUT', key, query, body: body(), ...(checksum && { checksum }), signal } as const
      const { headers } = await s3.call(request)
      uploaded[index] = { etag: requireEtag(headers.etag), checksum }
    } finally {
      release()
    }
  }

  async function sendPart(): Promise<void> {
    while (inFlight.size >= maxPartsInFlight) await Promise.race(inFlight)
    signal.throwIfAborted()
    const sending = uploadPart(partCount++, part)
    part = createPart(memory)
    inFlight.add(sending)
    sending.catch((error: unknown) => object.destroy(toStorageError(error))).finally(() => inFlight.delete(sending))
  }

  async function append(chunk: Buffer): Promise<void> {
    size += chunk.length
    for (let rest = chunk; rest.length > 0; rest = part.add(rest)) if (part.isFull()) await sendPart()
  }

  /** Checks that the store has everything that was sent, under the object's key. */
  async function verify(etag: string | undefined): Promise<void> {
    const { headers } = await s3.call({ method: 'HEAD', key })
    isReplaced = etag !== undefined && headers.etag !== etag
    if (isReplaced || Number(headers['content-length']) !== size)
      throw new Error('the object store holds something else than was sent')
  }

  async function finish(): Promise<void> {
    if (partCount === 0) {
      const body = part.body()
      const { headers } = await s3.call({ method: 'PUT', key, body, checksum: sha256(body) })
      await verify(requireEtag(headers.etag))
    } else {
      await sendPart()
      await Promise.all(inFlight)
      signal.throwIfAborted()
      await verify(await completeUpload(s3, key, (await (upload as Promise<MultipartUpload>)).id, uploaded))
    }
    isStored = true
  }

  /** Deletes an unfinished upload. If that fails, a job removes it as a partial or unreferenced object. */
  async function clear(): Promise<void> {
    const maxAttempts = 2
    aborter.abort()
    await Promise.allSettled([...inFlight, finishing])
    part.release()
    if (isStored) return
    if (finishing !== undefined && !isReplaced) await s3.call({ method: 'DELETE', key, maxAttempts })
    const begun = await upload?.catch(() => undefined)
    if (begun !== undefined) await s3.call({ method: 'DELETE', key, query: { uploadId: begun.id }, maxAttempts })
  }

  const settle = (work: Promise<void>, done: (error?: Error | null) => void) =>
    void work.then(
      () => done(),
      (error: unknown) => done(toStorageError(error)),
    )

  const object = new Writable({
    highWaterMark: 256 * 1024,
    write: (chunk: Buffer, _encoding, done) => settle(append(chunk), done),
    final: (done) => settle((finishing = finish()), done),
    destroy: (error, done) =>
      void clear()
        .catch(() => {})
        .then(() => done(error)),
  })
  return object
}
