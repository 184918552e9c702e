import { inBatches, type Stopping } from '../async/batches.ts'
import type { Db, Tx } from '../database/types.ts'

/** Deletes up to a batch of rows, and returns how many. */
type BatchDeletion = (tx: Tx) => Promise<{ changes: number }>

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
