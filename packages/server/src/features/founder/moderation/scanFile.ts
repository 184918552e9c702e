import { openSqlite } from '../../../core/sqlite.ts'
import type { SentRow } from './histories.ts'
import { flaggedBefore, type FlaggedRow, readAtOnce } from './scanPages.ts'

interface ScannedFile {
  flagged(): FlaggedRow[]
  /** Slice after slice of the time in which messages expire, each about as many rows as the one before asks for. */
  sent(): Iterable<readonly SentRow[]>
  close(): void
}

/** Reads the SQLite database at `path` on a connection of its own, for a thread of its own. */
export function openScannedFile(path: string, now: number): ScannedFile {
  const database = openSqlite(path)
  database.exec('pragma query_only = ON')
  return {
    flagged: () => database.prepare(flaggedBefore).all([now]) as FlaggedRow[],
    *sent() {
      const { last } = database.prepare('select max(expires_at) as last from messages').get([]) as {
        last: number | null
      }
      const slice = database.prepare(
        `select rowid, sender_id, connection_id, created_at, repetition from messages indexed by messages_by_expiry
         where expires_at > ? and expires_at <= ? order by expires_at`,
      )
      let width = Math.max(1, Math.ceil(((last ?? now) - now) / 64))
      for (let from = now; last !== null && from < last;) {
        const to = Math.min(last, from + width)
        const rows = slice.values([from, to]) as unknown as SentRow[]
        yield rows
        from = to
        width = Math.max(1, Math.ceil(width * Math.min(4, Math.max(0.1, readAtOnce / (rows.length + 1)))))
      }
    },
    close: () => database.close(),
  }
}
