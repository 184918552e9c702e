import { policy as policyForm } from '@privity/contract/preferences'
import type { Core } from '../../../core/core.ts'
import { padToPowerOfTwo } from '../../../core/database/statements.ts'
import { inForce, preferencesOfEach } from '../../preferences/preferences.ts'
import { isFactorMissing } from '../../secondFactor/requirement.ts'
import { fullPolicyOf } from './effectivePolicy.ts'

const mostAtOnce = 500

async function tellMembers({ bus, clock, db, sockets }: Core, organizationId: string): Promise<void> {
  const online = sockets.connectedUsers()
  for (let at = 0; at < online.length; at += mostAtOnce) {
    const rows = await db.read.kysely
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', padToPowerOfTwo(online.slice(at, at + mostAtOnce)))
      .execute()
    const each = await preferencesOfEach(
      db.read,
      rows.map(({ id }) => id),
    )
    // Queried last, and sent before anything else is awaited: after two changes, the later one is sent last.
    const policy = inForce(policyForm.parse(await fullPolicyOf(db.read, organizationId)), clock.now())
    for (const [userId, preferences] of each)
      sockets.notify(userId, { type: 'preferences_changed', preferences, policy })
    if (!policy.twoFactor) continue
    for (const userId of each.keys())
      if (await isFactorMissing(db.read, userId, clock.now())) bus.publish('factorMissing', { userId })
  }
}

/** Notifies the organization's members connected to this process when its policy changes. */
export function tellPolicyChanges(core: Core): void {
  core.bus.subscribe('policyChanged', ({ organizationId }) =>
    core.background.run('policy', () => tellMembers(core, organizationId)),
  )
}
