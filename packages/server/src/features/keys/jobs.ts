import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'

const batchSize = 100

/** Sets superseding dates in the future, written while the clock was ahead, to now. */
async function correctDates({ db, clock }: Core): Promise<void> {
  const now = clock.now()
  const sql = `update epochs set superseded_at = ? where (user_id, n) in
    (select user_id, n from epochs where superseded_at > ? limit ${batchSize})`
  for (;;) {
    const { changes } = await db.write((tx) => tx.run(sql, [now, now]))
    if (changes < batchSize) break
  }
}

/**
 * Destroys epochs that no live message can need: superseded longer ago than the retention. From then on no password and
 * no surviving key opens what was encrypted to them.
 */
async function destroyExpiredEpochs({ db, clock, config }: Core): Promise<void> {
  const expiredBefore = clock.now() - config.retention
  const sql = `delete from epochs where (user_id, n) in
    (select user_id, n from epochs where superseded_at is not null and superseded_at <= ? limit ${batchSize})`
  for (;;) {
    const { changes } = await db.write(async (tx) => {
      const deleted = await tx.run(sql, [expiredBefore])
      if (deleted.changes > 0) tx.afterCommit(db.emptyLogSoon)
      return deleted
    })
    if (changes < batchSize) break
  }
  if (db.holdsDeleted()) await db.purgeDeletedRows()
}

async function maintainEpochs(core: Core): Promise<void> {
  await correctDates(core)
  await destroyExpiredEpochs(core)
}

export const keyJobs: Job[] = [{ name: 'destroy dead epochs', every: 30_000, run: maintainEpochs }]
