import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { correctDates, deleteExpiredTickets, deleteOverSessions } from './queries.ts'

async function endIdleSessions({ db, clock }: Core): Promise<void> {
  await db.write(async (tx) => {
    // Read inside the write: a use stored while it waited is not in the future.
    const now = clock.now()
    await correctDates(tx, now)
    await deleteOverSessions(tx, now - limits.founderSessionIdle, now - limits.sessionLife)
    await deleteExpiredTickets(tx, now)
  })
}

export const founderSessionJobs: Job[] = [
  { name: 'end idle sessions of the founder', every: 60_000, run: endIdleSessions },
]
