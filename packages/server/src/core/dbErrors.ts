import { AppError } from '@privity/contract/errors'

/** SQLite's own result codes; the low byte of an extended one is its family. */
const codes = { busy: 5, inputOutput: 10, full: 13, constraint: 19, foreignKey: 787, unique: 2067 } as const

function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}

const isOf = (family: number, error: unknown) => ((sqliteCode(error) ?? 0) & 0xff) === family

const isNoSpace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** A failure of the database or the disk as the catalogue has it; any other error unchanged. */
export function toAppError(error: unknown): Error {
  if (isFull(error)) return new AppError('STORAGE_FULL', { cause: error })
  if (isBusy(error) || isOf(codes.inputOutput, error)) return new AppError('UNAVAILABLE', { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

export const isConstraint = (error: unknown): boolean => isOf(codes.constraint, error)

/** Whether a row was to refer to one that does not exist; SQLite does not say to which. */
export const isDangling = (error: unknown): boolean => sqliteCode(error) === codes.foreignKey

export const isFull = (error: unknown): boolean => isOf(codes.full, error) || isNoSpace(error)

export const isBusy = (error: unknown): boolean => isOf(codes.busy, error)

/** Whether a write failed on a unique column, named as `table.column`. */
export function isTaken(error: unknown, column: string): boolean {
  return sqliteCode(error) === codes.unique && (error as Error).message.includes(column)
}
