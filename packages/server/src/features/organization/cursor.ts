import { z } from 'zod'
import type { UserSort } from '@privity/contract/organization'
import { columnsOf, type Direction } from './listQueries.ts'

const form = z.tuple([z.string(), z.string()]).rest(z.union([z.string(), z.int()]))

/** Names the last user of a page by what the list is sorted by, so that the next goes on behind it even if he is gone. */
export const writeCursor = (sort: UserSort, direction: Direction, values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([sort, direction, ...values])).toString('base64url')

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** undefined for what is no cursor of a list sorted like this. */
export function readCursor(cursor: string, sort: UserSort, direction: Direction): (string | number)[] | undefined {
  const parsed = form.safeParse(parse(cursor))
  if (!parsed.success) return undefined
  const [ofSort, ofDirection, ...values] = parsed.data
  const isOfList = ofSort === sort && ofDirection === direction && values.length === columnsOf(sort).length
  return isOfList ? values : undefined
}
