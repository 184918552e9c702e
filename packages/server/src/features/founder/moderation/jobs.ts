import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { deleteExpiredFlags } from './queries.ts'

const batch = 100

/** Flags of scans expire with their messages, reports after their own time. */
export async function destroyExpiredFlags({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  while (!stopping()) {
    const { changes } = await db.write(async (tx) => {
      const deleted = await deleteExpiredFlags(tx, clock.now(), batch)
      if (deleted.changes > 0) tx.afterCommit(() => db.emptyLogSoon())
      return deleted
    })
    if (changes < batch) return
  }
}

export const moderationJobs: Job[] = [{ name: 'destroy flags that are over', every: 15_000, run: destroyExpiredFlags }]
