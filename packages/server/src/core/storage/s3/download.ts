import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import type { S3Client } from './client.ts'
import { isMissing, isRetryable, S3Error, toStorageError } from './errors.ts'

/** Give up after this many consecutive failures with no byte between them. */
const maxFailures = 5

interface Progress {
  offset: number
  /** Known from the first response on. */
  object: { size: number; etag: string } | undefined
}

/** Requests the bytes from `progress.offset` on, of the same object as before. */
async function request(s3: S3Client, key: string, progress: Progress, signal: AbortSignal): Promise<IncomingMessage> {
  const { offset, object } = progress
  const range = object && `${offset}-${object.size - 1}`
  const headers = object && { range: `bytes=${range}`, 'if-match': object.etag }
  const response = await s3.stream({ method: 'GET', key, ...(headers && { headers }), signal })
  try {
    const { statusCode: status = 0, headers: given } = response
    // A 200 to a request with a Range would carry the whole object.
    if (status !== (object ? 206 : 200)) throw new S3Error('GET', status === 200 ? 500 : status, '')
    if (object !== undefined) {
      if (given['content-range'] !== `bytes ${range}/${object.size}`)
        throw new Error('the object store answered other bytes than were asked for')
    } else {
      const size = Number(given['content-length'] ?? Number.NaN)
      if (!Number.isSafeInteger(size) || given.etag === undefined)
        throw new Error('the object store does not say how long the object is')
      progress.object = { size, etag: given.etag }
    }
  } catch (error) {
    response.destroy()
    throw error
  }
  // From here on the timeout runs only while somebody waits for bytes: see `read`.
  response.setTimeout(0)
  return response
}

/** Yields and counts the bytes of a response; ends or throws when the response does. */
async function* read(s3: S3Client, response: IncomingMessage, progress: Progress): AsyncGenerator<Buffer, undefined> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const stop = () => response.destroy(new Error('the object store fell silent'))
  try {
    for (;;) {
      const timeout = setTimeout(stop, s3.timing.silenceTimeoutMs)
      const { value, done } = await chunks.next().finally(() => clearTimeout(timeout))
      if (done === true) return
      progress.offset += value.length
      yield value
    }
  } finally {
    response.destroy()
  }
}

async function* bytesOf(s3: S3Client, key: string, signal: AbortSignal): AsyncGenerator<Buffer, undefined> {
  const progress: Progress = { offset: 0, object: undefined }
  for (let failures = 0; ;) {
    const before = progress.offset
    try {
      yield* read(s3, await request(s3, key, progress, signal), progress)
      if (progress.offset === progress.object?.size) return
      throw new Error('the object store’s answer broke off')
    } catch (error) {
      if (isMissing(error)) throw new AppError('FILE_NOT_FOUND', { cause: error })
      failures = progress.offset > before ? 1 : failures + 1
      if (signal.aborted || failures >= maxFailures || !isRetryable(error)) throw toStorageError(error)
      await s3.backOff(failures, signal)
    }
  }
}

/** Streams an object; a response that breaks off is resumed where it ended. Destroying it aborts the request. */
export function openS3Object(s3: S3Client, key: string): Readable {
  const aborter = new AbortController()
  const bytes = bytesOf(s3, key, aborter.signal)
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      bytes.next().then(
        ({ value, done }) => this.push(done === true ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      aborter.abort()
      bytes.return(undefined).then(
        () => done(error),
        () => done(error),
      )
    },
  })
}
