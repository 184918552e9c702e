import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'

/** Dates epochs now that were superseded while the clock was ahead, even if their user never comes back. */
async function correctDates({ db, clock }: Core): Promise<void> {
  const now = clock.now()
  const some = `update epochs set superseded_at = ? where (user_id, n) in
    (select user_id, n from epochs where superseded_at > ? limit 100)`
  for (;;) {
    const { changes } = await db.write((tx) => tx.run(some, [now, now]))
    if (changes < 100) break
  }
}

/**
 * Destroys epochs that no live message can need: superseded longer ago than the retention. From then on no password and
 * no surviving key opens what was encrypted to them.
 */
async function destroyDeadEpochs({ db, clock, config }: Core): Promise<void> {
  const dead = clock.now() - config.retention
  const some = `delete from epochs where (user_id, n) in
    (select user_id, n from epochs where superseded_at is not null and superseded_at <= ? limit 100)`
  for (;;) {
    const { changes } = await db.write(async (tx) => {
      const deleted = await tx.run(some, [dead])
      if (deleted.changes > 0) tx.afterCommit(db.emptyLogSoon)
      return deleted
    })
    if (changes < 100) break
  }
  if (db.holdsDeleted()) await db.emptyLog()
}

async function settleEpochs(core: Core): Promise<void> {
  await correctDates(core)
  await destroyDeadEpochs(core)
}

export const keyJobs: Job[] = [{ name: 'destroy dead epochs', every: 30_000, run: settleEpochs }]
