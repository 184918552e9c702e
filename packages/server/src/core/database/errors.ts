import { AppError } from '@privity/contract/errors'

/** SQLite's own result codes; the low byte of an extended one is its family. */
const codes = { busy: 5, inputOutput: 10, full: 13, constraint: 19, foreignKey: 787, unique: 2067 } as const

function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}

const isOf = (family: number, error: unknown) => ((sqliteCode(error) ?? 0) & 0xff) === family

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isNoSpace = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))

/** A failure of the database or the disk as the catalogue has it; any other error unchanged. */
export function toAppError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (isFull(error)) return new AppError('STORAGE_FULL', { cause: error })
  if (isBusy(error) || isOf(codes.inputOutput, error) || isPassing(error))
    return new AppError('UNAVAILABLE', { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

export const isConstraint = (error: unknown): boolean => isOf(codes.constraint, error)

/** Whether a row was to refer to one that does not exist; SQLite does not say to which. */
export const isDangling = (error: unknown): boolean =>
  sqliteCode(error) === codes.foreignKey || codeOf(error) === '23503'

/** 53100 is PostgreSQL's full disk. */
export const isFull = (error: unknown): boolean =>
  isOf(codes.full, error) || isNoSpace(error) || codeOf(error) === '53100'

export const isBusy = (error: unknown): boolean => isOf(codes.busy, error)

/** Whether a write to PostgreSQL failed on any unique column: another process may have stored that row meanwhile. */
export const isTakenByAny = (error: unknown): boolean => codeOf(error) === '23505'

/** Whether a write failed on a unique column, named as `table.column`. */
export function isTaken(error: unknown, column: string): boolean {
  if (isTakenByAny(error)) return takenColumns(error as Error & Violation).includes(column)
  return sqliteCode(error) === codes.unique && (error as Error).message.includes(column)
}

interface Violation {
  table?: string
  columns?: string[]
}

const takenColumns = ({ table, columns = [] }: Violation): string[] => columns.map((column) => `${table}.${column}`)

/** Tables whose rows the server numbers itself: a number that is taken was taken by another process a moment before. */
const numbered = ['audit_log', 'audit_addresses', 'audit_heads']

/** Another transaction changed what this one read, or each waited for the other: PostgreSQL undid it whole. */
export const isCollision = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) ||
  (isTakenByAny(error) && numbered.includes((error as Violation).table ?? ''))

/** What work throws that went by what is no longer so, because another was faster: it is done again, like any collision. */
export const collision = (): Error => Object.assign(new Error('another process was faster'), { code: '40001' })

/**
 * A statement that was prepared before the table it reads was changed by a newer version of the program. PostgreSQL says
 * so in the language of its messages; engines that have not its routines say it in English.
 */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  ((error as { routine?: unknown }).routine === 'RevalidateCachedQuery' ||
    (error as Error).message.includes('cached plan'))

/** What Node's sockets say of a peer that cannot be reached. */
const network = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
const names = ['ENOTFOUND', 'EAI_AGAIN', 'ENOENT']
/** What the client library says without a code. */
const endings = /^(Connection terminated|Client (was closed|has encountered)|timeout e)/

/**
 * Whether the connection to PostgreSQL is gone, or good for nothing: the server stops (57P0x), ended it for its
 * silence (25P03) or has become one that only reads (25006). 26000 is a prepared statement that a proxy forgot.
 */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code.startsWith('08') || code.startsWith('57P') || ['25P03', '25006', '26000'].includes(code)) return true
  if ((error as { syscall?: unknown }).syscall !== undefined) return [...network, ...names].includes(code)
  return network.includes(code) || (error instanceof Error && code === '' && endings.test(error.message))
}

/** Engines of several machines say so of a commit of which they cannot tell whether it was done. */
export const isUnknown = (error: unknown): boolean => codeOf(error) === '40003'

/** What a statement divides by zero for that must not be kept: it went by what is no longer so. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === '22012'

/** Whether the whole transaction is gone for a reason that none of its statements has given. */
export const isForAll = (error: unknown): boolean =>
  isCollision(error) || isStale(error) || (error instanceof Error && isLost(error))

/** Too many connections or locks, no memory, a statement or a lock that took too long. */
const exhausted = ['53000', '53200', '53300', '53400', '55P03', '57014', '40003']

/** Whether the same call may well succeed a little later: nothing is wrong with it. */
export const isPassing = (error: unknown): boolean => isForAll(error) || exhausted.includes(codeOf(error))

/** What VACUUM says of a table that another one holds. */
export const isLocked = ({ code }: { code?: string | undefined }): boolean => code === '55P03'

/** Engines that collect deleted rows by themselves know no VACUUM: a syntax error, or something not supported. */
export const isMissingVacuum = (error: unknown): boolean => ['42601', '0A000'].includes(codeOf(error))
