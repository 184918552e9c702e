import type { OrganizationPolicy } from '@privity/contract/organization'
import { policy as policyForm } from '@privity/contract/preferences'
import type { Core } from '../../../core/core.ts'
import { padToPowerOfTwo, splitIntoStatements } from '../../../core/database/statements.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { inForce, preferencesOfEach } from '../../preferences/preferences.ts'
import { isFactorMissing } from '../../secondFactor/enrollment.ts'
import { effectivePolicyOf } from './effectivePolicy.ts'

const batchSize = 500

async function notifyMembers({ bus, clock, db, sockets }: Core, organizationId: string): Promise<void> {
  for (const batch of splitIntoStatements(sockets.connectedUsers(), batchSize)) {
    const rows = await db.read.kysely
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', padToPowerOfTwo(batch))
      .execute()
    const preferencesByUser = await preferencesOfEach(
      db.read,
      rows.map(({ id }) => id),
    )
    // Queried last, and sent before anything else is awaited: after two changes, the later one is sent last.
    const policy = inForce(policyForm.parse(await effectivePolicyOf(db.read, organizationId)), clock.now())
    for (const [userId, preferences] of preferencesByUser)
      sockets.notify(userId, { type: 'preferences_changed', preferences, policy })
    if (!policy.twoFactor) continue
    for (const userId of preferencesByUser.keys())
      if (await isFactorMissing(db.read, userId, clock.now())) bus.publish('factorMissing', { userId })
  }
}

/** Notifies the organization's members connected to this process when its policy changes. */
export function notifyPolicyChanges(core: Core): void {
  core.bus.subscribe('policyChanged', ({ organizationId }) =>
    core.background.run('policy', () => notifyMembers(core, organizationId)),
  )
}

/** How far the first check of a process looks back: another process may have stopped before its own check. */
const firstLookbackMs = 10 * 60_000

/** Time of the last check, by the bus on which due changes are published. */
const checkedAt = new WeakMap<Core['bus'], number>()

const selectDatedPolicies = (db: Reader) =>
  db.all<{ id: string; policy: string }>(`select id, policy from organizations where policy like '%"twoFactorFrom"%'`)

/** Publishes a change of policy when the start of a requirement has come. */
async function applyDueRequirements({ bus, clock, db }: Core): Promise<void> {
  const now = clock.now()
  const since = checkedAt.get(bus) ?? now - firstLookbackMs
  for (const { id, policy } of await selectDatedPolicies(db.read)) {
    const { twoFactorFrom = 0 } = JSON.parse(policy) as Partial<OrganizationPolicy>
    if (twoFactorFrom > since && twoFactorFrom <= now) bus.publish('policyChanged', { organizationId: id })
  }
  checkedAt.set(bus, now)
}

export const organizationJobs: Job[] = [
  { name: 'requirements whose day has come', every: 10_000, run: applyDueRequirements },
]
