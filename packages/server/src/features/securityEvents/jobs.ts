import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'

const batch = 200

/** The audit log keeps the fact that an event was reported; its place and details are deleted after 90 days. */
async function forgetOldEvents({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  for (;;) {
    const { changes } = await db.write((tx) =>
      tx.run(
        `delete from security_events where id in
           (select id from security_events where created_at <= ? order by created_at limit ${batch})`,
        [clock.now() - limits.securityEventsKept],
      ),
    )
    if (changes < batch || stopping()) return
  }
}

export const securityEventJobs: Job[] = [
  { name: 'forget old security events', every: 60 * 60_000, run: forgetOldEvents },
]
