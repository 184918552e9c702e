import { AppError } from '@privity/contract/errors'
import { textOf } from './responses.ts'

/** A refusal by the object store. Its message is left out: some stores quote the signed text and the key's id. */
export class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor(method: string, status: number, body: string) {
    const given = textOf(body, 'Code') ?? ''
    const code = /^[A-Za-z0-9]{1,64}$/.test(given) ? given : ''
    super(`the object store answered ${[status, code].join(' ').trim()} to ${method}`)
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }
}

const fullCodes = [
  'QuotaExceeded',
  'StorageFull',
  'XMinioStorageFull',
  'InsufficientStorage',
  'XMinioAdminBucketQuotaExceeded',
]

const isFull = (error: unknown) => error instanceof S3Error && (error.status === 507 || fullCodes.includes(error.code))

export const isMissing = (error: unknown): boolean => error instanceof S3Error && error.status === 404

/** Whether the store does not support part of the request. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof S3Error && (error.status === 400 || error.status === 501)

/** The bytes were altered or lost on the way; the same request may succeed. */
const transferCodes = ['BadDigest', 'XAmzContentSHA256Mismatch', 'RequestTimeout', 'IncompleteBody']

/** Whether the same request may succeed later: it was interrupted, throttled, or met a failing server. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof S3Error)) return true
  const { status, code } = error
  if (isFull(error) || status === 501) return false
  return status >= 500 || status === 408 || status === 429 || transferCodes.includes(code)
}

/** Converts an error to an error code of the contract; the cause is for the log. */
export function toStorageError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(isFull(error) ? 'STORAGE_FULL' : 'UNAVAILABLE', { cause: error })
}
