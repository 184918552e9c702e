import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { endIdleSessions, useSaved } from './idleLimit.ts'
import { failuresKept } from './locks.ts'

const atOnce = 1_000

/** Deletes in batches, because a stranger can try any number of names. */
async function forgetFailures({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  const sql = `delete from sign_in_locks where (purpose, account, device) in
    (select purpose, account, device from sign_in_locks where last_failed_at <= ? limit ?)`
  let forgotten = atOnce
  while (forgotten === atOnce && !stopping())
    forgotten = (await db.write((tx) => tx.run(sql, [clock.now() - failuresKept, atOnce]))).changes
}

export const sessionJobs: Job[] = [
  { name: 'keep the times of use', every: useSaved, inEach: true, run: ({ sessions }) => sessions.saveUse() },
  { name: 'end idle sessions', every: 60_000, run: endIdleSessions },
  { name: 'forget failed sign-ins', every: 60 * 60_000, run: forgetFailures },
]
