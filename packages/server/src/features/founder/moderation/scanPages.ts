import type { Reader } from '../../../core/database/types.ts'
import type { FlagRule } from '../../../core/database/tables/security.ts'
import type { SentRow } from './histories.ts'

/** A flag set by an earlier scan. */
export interface FlaggedRow {
  rule: FlagRule
  sender_id: string
  repetition: string | null
  sent_at: number
}

export const selectFlaggedSql = `select rule, sender_id, repetition, sent_at from message_flags
   where rule <> 'report' and expires_at > ? order by sent_at`

export const selectNewestExpirySql = 'select max(expires_at) as last from messages'

/** Approximate rows per read; each read ends before the next, so that none holds up the database's clean-up. */
const rowsPerRead = 20_000

/**
 * Yields slices of the time in which messages expire: after `from`, up to `to`. `next` takes the number of rows of the
 * previous slice, by which the width is adapted to `rowsPerRead`.
 */
export function* slicesOf(now: number, last: number | null): Generator<[from: number, to: number], void, number> {
  let width = Math.max(1, Math.ceil(((last ?? now) - now) / 64))
  for (let from = now; last !== null && from < last;) {
    const to = Math.min(last, from + width)
    const rows = yield [from, to]
    from = to
    width = Math.max(1, Math.ceil(width * Math.min(4, Math.max(0.1, rowsPerRead / (rows + 1)))))
  }
}

export const readFlagged = (db: Reader, now: number) => db.all<FlaggedRow>(selectFlaggedSql, [now])

interface Row {
  expires_at: number
  sender_id: string
  connection_id: string
  created_at: number
  repetition: string | null
}

/** Unexpired messages in the order of expiry, for a database that is not a local file. */
export async function* readSent(db: Reader, now: number): AsyncGenerator<readonly SentRow[]> {
  const newest = await db.get<{ last: number | null }>(selectNewestExpirySql)
  const slices = slicesOf(now, newest?.last ?? null)
  for (let slice = slices.next(0); slice.done !== true;) {
    const rows = await db.all<Row>(
      `select expires_at, sender_id, connection_id, created_at, repetition from messages
       where expires_at > ? and expires_at <= ? order by expires_at`,
      slice.value,
    )
    yield rows.map((row) => [row.expires_at, row.sender_id, row.connection_id, row.created_at, row.repetition])
    slice = slices.next(rows.length)
  }
}
