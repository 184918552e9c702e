import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { deleteExpired } from './queries.ts'

/** Rows deleted in one transaction: a few milliseconds of work. */
const batch = 100

async function deleteOld({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  for (;;) {
    const { changes } = await db.write((tx) => deleteExpired(tx, clock.now(), batch))
    if (changes < batch || stopping()) return
  }
}

export const notificationJobs: Job[] = [{ name: 'delete old notifications', every: 60_000, run: deleteOld }]
