import { z } from 'zod'
import type { UserSort } from '@privity/contract/organization'
import { columnsOf, type Direction } from './userListQueries.ts'

const form = z.tuple([z.string(), z.string()]).rest(z.union([z.string(), z.int()]))

/** A cursor holds the sort values of the last user of a page, so the next page continues even if that user is gone. */
export const writeCursor = (sort: UserSort, direction: Direction, values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([sort, direction, ...values])).toString('base64url')

/** Databases other than SQLite compare a column only with values of its type, and store no NUL in a text. */
const hasTypeOf = (column: string, value: unknown): boolean =>
  column === 'is_active' || column === 'created_at'
    ? typeof value === 'number'
    : typeof value === 'string' && !value.includes('\0')

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Returns the sort values, or undefined if it is not a cursor of a list with this order. */
export function readCursor(cursor: string, sort: UserSort, direction: Direction): (string | number)[] | undefined {
  const parsed = form.safeParse(parse(cursor))
  if (!parsed.success) return undefined
  const [cursorSort, cursorDirection, ...values] = parsed.data
  const columns = columnsOf(sort)
  const isOfList = cursorSort === sort && cursorDirection === direction && values.length === columns.length
  return isOfList && columns.every((column, index) => hasTypeOf(column, values[index])) ? values : undefined
}
