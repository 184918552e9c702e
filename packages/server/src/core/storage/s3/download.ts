import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import type { S3Client } from './client.ts'
import { isMissing, isRetryable, S3Failure, toStorageError } from './errors.ts'

/** Consecutive responses that may break off without a byte of progress. */
const mostFailures = 5

interface Progress {
  at: number
  /** Known from the first response on. */
  whole: { size: number; etag: string } | undefined
}

/** Requests the bytes from `progress.at` on, of the same object as before. */
async function request(s3: S3Client, key: string, progress: Progress, signal: AbortSignal): Promise<IncomingMessage> {
  const { at, whole } = progress
  const headers: Record<string, string> =
    whole === undefined ? {} : { range: `bytes=${at}-${whole.size - 1}`, 'if-match': whole.etag }
  const answer = await s3.stream({ method: 'GET', key, headers, signal })
  const refuse = (error: Error) => {
    answer.destroy()
    throw error
  }
  const { statusCode: status = 0 } = answer
  if (whole === undefined) {
    const [length, etag] = [Number(answer.headers['content-length'] ?? Number.NaN), answer.headers.etag]
    if (status !== 200) return refuse(new S3Failure('GET', status, ''))
    if (!Number.isSafeInteger(length) || etag === undefined)
      return refuse(new Error('the object store does not say how long the object is'))
    progress.whole = { size: length, etag }
  } else {
    if (status !== 206) return refuse(new S3Failure('GET', status === 200 ? 500 : status, ''))
    if (answer.headers['content-range'] !== `bytes ${at}-${whole.size - 1}/${whole.size}`)
      return refuse(new Error('the object store answered other bytes than were asked for'))
  }
  // From here on the timeout runs only while somebody waits for bytes: see `read`.
  answer.setTimeout(0)
  return answer
}

/** Yields and counts the bytes of a response; ends or throws when the response does. */
async function* read(s3: S3Client, answer: IncomingMessage, progress: Progress): AsyncGenerator<Buffer, undefined> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const silent = setTimeout(() => answer.destroy(new Error('the object store fell silent')), s3.timing.silence)
      const { value, done } = await chunks.next().finally(() => clearTimeout(silent))
      if (done === true) return
      progress.at += value.length
      yield value
    }
  } finally {
    answer.destroy()
  }
}

async function* bytesOf(s3: S3Client, key: string, signal: AbortSignal): AsyncGenerator<Buffer, undefined> {
  const progress: Progress = { at: 0, whole: undefined }
  for (let failures = 0; ;) {
    const before = progress.at
    try {
      yield* read(s3, await request(s3, key, progress, signal), progress)
      if (progress.at === progress.whole?.size) return
      throw new Error('the object store’s answer broke off')
    } catch (error) {
      if (isMissing(error)) throw new AppError('FILE_NOT_FOUND', { cause: error })
      failures = progress.at > before ? 1 : failures + 1
      if (signal.aborted || failures >= mostFailures || !isRetryable(error)) throw toStorageError(error)
      await s3.rest(failures, signal)
    }
  }
}

/** Streams an object; a response that breaks off is resumed where it ended. Destroying it aborts the request. */
export function openS3Object(s3: S3Client, key: string): Readable {
  const cut = new AbortController()
  const bytes = bytesOf(s3, key, cut.signal)
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      bytes.next().then(
        ({ value, done }) => this.push(done === true ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      cut.abort()
      bytes.return(undefined).then(
        () => done(error),
        () => done(error),
      )
    },
  })
}
