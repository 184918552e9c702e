import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/schedule.ts'
import { endIdleSessions, useSaved } from './idleLimit.ts'
import { failuresKept } from './locks.ts'

async function forgetFailures({ db, clock }: Core): Promise<void> {
  await db.write((tx) => tx.run('delete from sign_in_locks where last_failed_at <= ?', [clock.now() - failuresKept]))
}

export const sessionJobs: Job[] = [
  { name: 'keep the times of use', every: useSaved, inEach: true, run: ({ sessions }) => sessions.saveUse() },
  { name: 'end idle sessions', every: 60_000, run: endIdleSessions },
  { name: 'forget failed sign-ins', every: 60 * 60_000, run: forgetFailures },
]
