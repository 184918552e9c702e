import { openSqlite } from '../../../core/database/sqlite/driver.ts'
import type { SentRow } from './histories.ts'
import { selectFlaggedSql, type FlaggedRow, selectNewestExpirySql, slicesOf } from './scanPages.ts'

interface ScannedFile {
  flagged: FlaggedRow[]
  sent: Iterable<readonly SentRow[]>
  close(): void
}

/** Opens the SQLite database at `path` on its own read-only connection, for the thread of the scan. */
export function openScannedFile(path: string, now: number): ScannedFile {
  const database = openSqlite(path)
  database.exec('pragma query_only = ON')

  function* readSent(): Iterable<readonly SentRow[]> {
    const { last } = database.prepare(selectNewestExpirySql).get([]) as { last: number | null }
    const read = database.prepare(
      `select expires_at, sender_id, connection_id, created_at, repetition from messages indexed by messages_by_expiry
       where expires_at > ? and expires_at <= ? order by expires_at`,
    )
    const slices = slicesOf(now, last)
    for (let slice = slices.next(0); slice.done !== true;) {
      const rows = read.values(slice.value) as unknown as SentRow[]
      yield rows
      slice = slices.next(rows.length)
    }
  }

  return {
    flagged: database.prepare(selectFlaggedSql).all([now]) as FlaggedRow[],
    sent: readSent(),
    close: () => database.close(),
  }
}
