export type E2eeErrorCode =
  /** Not of the canonical form: wrong label, version, length, alphabet, or value out of range. */
  | 'MALFORMED'
  /** AES-GCM or HPKE refused: wrong key, wrong binding, or altered bytes. */
  | 'AUTHENTICATION_FAILED'
  /** The structure is for another user, connection, epoch, envelope or file than the caller named. */
  | 'WRONG_BINDING'
  | 'BAD_SIGNATURE'
  /** The franking commitment does not match what was opened. */
  | 'BAD_COMMITMENT'
  /** A file key or body does not match the hash that the file message carries. */
  | 'HASH_MISMATCH'
  /** A file stream ended before its last segment. */
  | 'TRUNCATED'
  /** Over 500 characters of text, or a file's name or type too long. */
  | 'TOO_LONG'
  /** This runtime computes a primitive wrongly, or not at all. */
  | 'UNSUPPORTED'

/** Every refusal of this package. `group` (1-based) names the wrong group of a recovery key. */
export class E2eeError extends Error {
  readonly code: E2eeErrorCode
  readonly group: number | undefined

  constructor(code: E2eeErrorCode, message: string, options: { group?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'E2eeError'
    this.code = code
    this.group = options.group
  }
}
