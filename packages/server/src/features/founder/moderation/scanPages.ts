import type { Reader } from '../../../core/db.ts'
import type { FlagRule } from '../../../core/rows/moderation.ts'
import type { SentRow } from './histories.ts'

/** What earlier scans have flagged. */
export interface FlaggedRow {
  rule: FlagRule
  sender_id: string
  repetition: string | null
  sent_at: number
}

/** Rows read at a time, about: each read ends before the next, so that none keeps the database from tidying up. */
export const readAtOnce = 20_000

export const flaggedBefore = `select rule, sender_id, repetition, sent_at from message_flags
   where rule <> 'report' and expires_at > ? order by sent_at`

export const readFlagged = (db: Reader, now: number) => db.all<FlaggedRow>(flaggedBefore, [now])

interface Row {
  place: number
  sender_id: string
  connection_id: string
  created_at: number
  expires_at: number
  repetition: string | null
}

/** Messages that have not expired, in the order of expiry, page by page: for a database that is no file of this machine. */
export async function* readSent(db: Reader, now: number, most = readAtOnce): AsyncGenerator<readonly SentRow[]> {
  for (let last = { expires_at: now, place: Number.MAX_SAFE_INTEGER }; ;) {
    const rows = await db.all<Row>(
      `select rowid as place, sender_id, connection_id, created_at, expires_at, repetition from messages
       where (expires_at, rowid) > (?, ?) order by expires_at, rowid limit ?`,
      [last.expires_at, last.place, most],
    )
    yield rows.map((row) => [row.place, row.sender_id, row.connection_id, row.created_at, row.repetition])
    if (rows.length < most) return
    last = rows.at(-1) as Row
  }
}
