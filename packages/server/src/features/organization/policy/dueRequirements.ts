import type { OrganizationPolicy } from '@privity/contract/organization'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'

/** Before the first look of a process: what another one had to tell when it stopped. */
const overlap = 10 * 60_000

/** The time of the last look, by the bus that tells of what was found. */
const lookedAt = new WeakMap<Core['bus'], number>()

const selectDated = (db: Reader) =>
  db.all<{ id: string; policy: string }>(`select id, policy from organizations where policy like '%"twoFactorFrom"%'`)

/** The day of a requirement has come: a policy changes in what it asks, though nobody changes it. */
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
