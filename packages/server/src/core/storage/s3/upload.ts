import { Writable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { checksumOf, type S3Client } from './client.ts'
import { toStorageError } from './errors.ts'
import { beginUpload, completeUpload, type Upload, type UploadedPart } from './multipart.ts'

/** Bytes of bodies that the uploads of one process hold in memory at one time. */
export interface Memory {
  held: number
  readonly most: number
}

/** S3 accepts parts of 5 MB or more. */
export const partBytes = 8 * 1024 * 1024
const mostPartsUnderWay = 2
const leastBuffer = 64 * 1024

/** Collects a body into parts; the bytes it holds are counted in `memory`. */
function createBuffer(memory: Memory) {
  let bytes = Buffer.alloc(0)
  let filled = 0

  function grow(needed: number): void {
    if (needed <= bytes.length) return
    const size = Math.min(partBytes, Math.max(leastBuffer, 2 ** Math.ceil(Math.log2(needed))))
    const more = size - bytes.length
    if (memory.held + more > memory.most)
      throw new AppError('UNAVAILABLE', { cause: new Error('too many uploads at once for the memory they may use') })
    memory.held += more
    const grown = Buffer.allocUnsafeSlow(size)
    bytes.copy(grown, 0, 0, filled)
    bytes = grown
  }

  return {
    get filled() {
      return filled
    },
    /** Takes the bytes that fit and returns the rest. */
    add(chunk: Buffer): Buffer {
      const taken = chunk.subarray(0, partBytes - filled)
      grow(filled + taken.length)
      taken.copy(bytes, filled)
      filled += taken.length
      return chunk.subarray(taken.length)
    },
    /** Returns the collected bytes and a function that frees their memory; then starts a new part. */
    take(): { body: Buffer; release(): void } {
      const body = bytes.subarray(0, filled)
      let size = bytes.length
      bytes = Buffer.alloc(0)
      filled = 0
      return {
        body,
        release() {
          memory.held -= size
          size = 0
        },
      }
    },
  }
}

const etagOf = (etag: string | undefined): string => {
  if (etag === undefined) throw new Error('the object store did not say what it stored')
  return etag
}

/**
 * Writes an object: by one PUT if its body fits into a part, otherwise by a multipart upload with two parts under way
 * at a time. The object appears once all of it is stored and the store has confirmed that; after a failure or a destroy
 * nothing remains.
 */
export function createS3Object(s3: S3Client, key: string, memory: Memory): Writable {
  const buffer = createBuffer(memory)
  const cut = new AbortController()
  const { signal } = cut
  const sent: UploadedPart[] = []
  const underWay = new Set<Promise<void>>()
  let upload: Promise<Upload> | undefined
  let parts = 0
  let size = 0
  let finishing: Promise<void> | undefined
  let finished = false
  let replaced = false

  async function putPart(index: number, { body, release }: ReturnType<typeof buffer.take>): Promise<void> {
    try {
      // Not aborted: an upload whose id is unknown could not be cancelled.
      upload ??= beginUpload(s3, key)
      const { id, hasChecksums } = await upload
      const checksum = hasChecksums ? checksumOf(body) : undefined
      const query = { partNumber: String(index + 1), uploadId: id }
      const { headers } = await s3.call({ method: 'PUT', key, query, body, ...(checksum && { checksum }), signal })
      sent[index] = { etag: etagOf(headers.etag), checksum }
    } finally {
      release()
    }
  }

  async function sendPart(): Promise<void> {
    while (underWay.size >= mostPartsUnderWay) await Promise.race(underWay)
    signal.throwIfAborted()
    const part = putPart(parts++, buffer.take())
    underWay.add(part)
    part.then(
      () => underWay.delete(part),
      (error: unknown) => {
        underWay.delete(part)
        object.destroy(toStorageError(error))
      },
    )
  }

  async function append(chunk: Buffer): Promise<void> {
    size += chunk.length
    for (let rest = chunk; rest.length > 0; rest = buffer.add(rest)) if (buffer.filled === partBytes) await sendPart()
  }

  /** Checks that the store has everything that was sent, under the object's key. */
  async function verify(etag: string | undefined): Promise<void> {
    const { headers } = await s3.call({ method: 'HEAD', key })
    replaced = etag !== undefined && headers.etag !== etag
    if (replaced || Number(headers['content-length']) !== size)
      throw new Error('the object store holds something else than was sent')
  }

  async function finish(): Promise<void> {
    if (parts === 0) {
      const { body, release } = buffer.take()
      try {
        const { headers } = await s3.call({ method: 'PUT', key, body, checksum: checksumOf(body) })
        await verify(etagOf(headers.etag))
      } finally {
        release()
      }
    } else {
      await sendPart()
      await Promise.all(underWay)
      signal.throwIfAborted()
      await verify(await completeUpload(s3, key, (await (upload as Promise<Upload>)).id, sent))
    }
    finished = true
  }

  /** Removes the rest. If that fails, the sweep finds a partial or unreferenced object and removes it. */
  async function clear(): Promise<void> {
    const attempts = 2
    cut.abort()
    buffer.take().release()
    await Promise.allSettled([...underWay, finishing])
    if (finished) return
    if (finishing !== undefined && !replaced) await s3.call({ method: 'DELETE', key, attempts })
    const begun = await upload?.catch(() => undefined)
    if (begun !== undefined) await s3.call({ method: 'DELETE', key, query: { uploadId: begun.id }, attempts })
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
      void clear().then(
        () => done(error),
        () => done(error),
      ),
  })
  return object
}
