import { AppError } from '@privity/contract/errors'

/** SQLite's result codes; the low byte of an extended code is its family. `noShared`: no space for shared memory. */
const codes = { busy: 5, inputOutput: 10, full: 13, foreignKey: 787, unique: 2067, noShared: 4874 } as const

function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}

const isOfFamily = (family: number, error: unknown) => ((sqliteCode(error) ?? 0) & 0xff) === family

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Converts a failure of the database or the disk to the error code of the contract; any other error is unchanged. */
export function toAppError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (isFull(error)) return new AppError('STORAGE_FULL', { cause: error })
  if (isBusy(error) || isOfFamily(codes.inputOutput, error) || isRetryable(error))
    return new AppError('UNAVAILABLE', { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

/** Whether a foreign key refers to a missing row; SQLite does not name the key. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  sqliteCode(error) === codes.foreignKey || codeOf(error) === '23503'

/** 53100 is PostgreSQL's code for a full disk. */
export const isFull = (error: unknown): boolean =>
  isOfFamily(codes.full, error) ||
  sqliteCode(error) === codes.noShared ||
  ['53100', 'ENOSPC', 'EDQUOT', 'STORAGE_FULL'].includes(codeOf(error))

export const isBusy = (error: unknown): boolean => isOfFamily(codes.busy, error)

/** Whether a write to PostgreSQL violated any unique column: another process may have stored that row meanwhile. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

/** Whether a write violated a unique column, named as `table.column`. */
export function isTaken(error: unknown, column: string): boolean {
  if (isUniqueViolation(error)) return takenColumns(error as Error & Violation).includes(column)
  return sqliteCode(error) === codes.unique && (error as Error).message.includes(column)
}

interface Violation {
  table?: string
  columns?: string[]
}

const takenColumns = ({ table, columns = [] }: Violation): string[] => columns.map((column) => `${table}.${column}`)

/** Tables whose rows the server numbers: a duplicate means that another process has just used the number. */
const numberedTables = ['audit_log', 'audit_addresses', 'audit_heads']

/** Whether PostgreSQL rolled back this transaction because of a conflict or a deadlock with another one. */
export const isCollision = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) ||
  (isUniqueViolation(error) && numberedTables.includes((error as Violation).table ?? ''))

/** An error for work whose data another process has changed: it is repeated, like any collision. */
export const createCollision = (): Error => Object.assign(new Error('another process was faster'), { code: '40001' })

/**
 * Whether a statement was prepared before a newer version of the program changed its table. PostgreSQL translates the
 * message, so the routine is checked; engines without that routine write English.
 */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  ((error as { routine?: unknown }).routine === 'RevalidateCachedQuery' ||
    (error as Error).message.includes('cached plan'))

/** Errors of Node's sockets for a host that cannot be reached. */
const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
const nameCodes = ['ENOTFOUND', 'EAI_AGAIN', 'ENOENT']
/** Errors of the client library without a code. */
const lossMessages = /^(Connection terminated|Client (was closed|has encountered)|timeout e)/

/**
 * Whether the connection to PostgreSQL is gone or unusable: the server is stopping (57P0x), closed it after silence
 * (25P03) or became read-only (25006). 26000 is a prepared statement that a proxy no longer has.
 */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code.startsWith('08') || code.startsWith('57P') || ['25P03', '25006', '26000'].includes(code)) return true
  if ((error as { syscall?: unknown }).syscall !== undefined) return [...networkCodes, ...nameCodes].includes(code)
  return networkCodes.includes(code) || (error instanceof Error && code === '' && lossMessages.test(error.message))
}

/** Whether the whole transaction failed for a reason outside of its statements. */
export const failsTransaction = (error: unknown): boolean =>
  isCollision(error) || isStale(error) || (error instanceof Error && isLost(error))

/** Too many connections or locks, no memory, a statement or a lock that took too long, a commit of unknown outcome. */
const exhaustionCodes = ['53000', '53200', '53300', '53400', '55P03', '57014', '40003']

/** Whether the same call may succeed later. */
export const isRetryable = (error: unknown): boolean =>
  failsTransaction(error) || exhaustionCodes.includes(codeOf(error))

/** Whether a notice of VACUUM reports a table locked by another session. */
export const isLocked = ({ code }: { code?: string | undefined }): boolean => code === '55P03'

/** Engines that reclaim deleted rows by themselves have no VACUUM: a syntax error, or "not supported". */
export const isMissingVacuum = (error: unknown): boolean => ['42601', '0A000'].includes(codeOf(error))
