import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { deleteSentMinutes, firstMinute } from '../../../core/metrics/messagesPerMinute.ts'
import { deleteConnectionMinutes } from './queries.ts'

/** In a small deployment the counts per minute show when people talked, so they expire after a day, like messages. */
async function forgetOldMinutes({ clock, db }: Core): Promise<void> {
  const first = firstMinute(clock.now())
  await db.write(async (tx) => {
    await deleteConnectionMinutes(tx, first)
    await deleteSentMinutes(tx, first)
  })
}

export const monitoringJobs: Job[] = [
  { name: 'forget the numbers of old minutes', every: 60_000, run: forgetOldMinutes },
]
