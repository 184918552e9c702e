import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/schedule.ts'
import { failuresKept } from './locks.ts'

/** Ends sessions nobody used for too long, with their sockets. */
async function endIdleSessions(core: Core): Promise<void> {
  await core.sessions.saveUse()
  await core.db.write(async (tx) => {
    const idle = await tx.all<{ id: string; user_id: string }>(
      'select id, user_id from sessions where last_used_at <= ? limit 200',
      [core.sessions.idleSince()],
    )
    for (const { id, user_id } of idle) await core.sessions.end(tx, user_id, { id })
  })
}

async function forgetFailures({ db, clock }: Core): Promise<void> {
  await db.write((tx) => tx.run('delete from sign_in_locks where last_failed_at <= ?', [clock.now() - failuresKept]))
}

export const sessionJobs: Job[] = [
  { name: 'end idle sessions', every: 60_000, run: endIdleSessions },
  { name: 'forget failed sign-ins', every: 60 * 60_000, run: forgetFailures },
]
