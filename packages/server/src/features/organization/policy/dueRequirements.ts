import type { OrganizationPolicy } from '@privity/contract/organization'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'

/** Time (ms) that the first check of a process looks back: another process may have stopped before its own check. */
const overlap = 10 * 60_000

/** Time of the last check, by the bus on which its findings are published. */
const lookedAt = new WeakMap<Core['bus'], number>()

const selectDated = (db: Reader) =>
  db.all<{ id: string; policy: string }>(`select id, policy from organizations where policy like '%"twoFactorFrom"%'`)

/** Publishes a change of policy when the day of a requirement has come: it takes effect without anyone changing it. */
export async function applyDueRequirements({ bus, clock, db }: Core): Promise<void> {
  const now = clock.now()
  const since = lookedAt.get(bus) ?? now - overlap
  for (const { id, policy } of await selectDated(db.read)) {
    const { twoFactorFrom = 0 } = JSON.parse(policy) as Partial<OrganizationPolicy>
    if (twoFactorFrom > since && twoFactorFrom <= now) bus.publish('policyChanged', { organizationId: id })
  }
  lookedAt.set(bus, now)
}

export const organizationJobs: Job[] = [
  { name: 'requirements whose day has come', every: 10_000, run: applyDueRequirements },
]
