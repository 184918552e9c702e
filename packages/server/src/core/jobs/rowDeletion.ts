import { inBatches, type Stopping } from '../async/batches.ts'
import type { Db, Tx } from '../database/types.ts'

/** Deletes up to a batch of rows, and returns how many. */
type BatchDeletion = (tx: Tx) => Promise<{ changes: number }>

/** Deletes up to `limit` rows whose date is `until` or earlier, the earliest first. */
export const deleteEarliest = (
  tx: Tx,
  table: 'messages' | 'envelopes' | 'message_flags' | 'notifications' | 'connection_requests' | 'security_events',
  until: number,
  limit: number,
  date: 'expires_at' | 'created_at' = 'expires_at',
) =>
  tx.run(`delete from ${table} where id in (select id from ${table} where ${date} <= ? order by ${date} limit ?)`, [
    until,
    limit,
  ])

/** Repeats `deleteBatch`, which deletes up to `size` rows, until none is left; other calls run in between. */
export const deleteInBatches = (db: Db, size: number, deleteBatch: BatchDeletion, stopping: Stopping): Promise<void> =>
  inBatches(size, async () => (await db.write(deleteBatch)).changes, stopping)

/** Like `deleteInBatches`, and has the database's log emptied later, which still holds the deleted rows. */
export const destroyInBatches = (db: Db, size: number, deleteBatch: BatchDeletion, stopping: Stopping): Promise<void> =>
  deleteInBatches(
    db,
    size,
    async (tx) => {
      const deleted = await deleteBatch(tx)
      if (deleted.changes > 0) tx.afterCommit(db.emptyLogSoon)
      return deleted
    },
    stopping,
  )
