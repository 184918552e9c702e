import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/schedule.ts'
import { firstMinute } from '../../../core/sentMessages.ts'
import { checkEvery, checkHealth } from './health.ts'
import { deleteConnectionMinutes } from './queries.ts'

/** In a small deployment the minutes say when people talked: like their messages, they go after a day. */
async function forgetOldMinutes({ clock, db }: Core): Promise<void> {
  await db.write((tx) => deleteConnectionMinutes(tx, firstMinute(clock.now())))
}

export const monitoringJobs: Job[] = [
  { name: 'check the health', every: checkEvery, run: checkHealth },
  { name: 'keep the numbers of messages', every: 10_000, run: (core) => core.sentMessages.save(core.clock.now()) },
  { name: 'forget the numbers of connections', every: 10 * 60_000, run: forgetOldMinutes },
]
