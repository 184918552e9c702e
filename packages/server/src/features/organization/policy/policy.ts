import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { OrganizationPolicy, organizationPolicy as contract } from '@privity/contract/organization'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { endIdleSessions, applyPolicyIdleLimit } from '../../session/idleLimit.ts'
import { deleteRequestsOfOrganization } from '../../connections/directory/endRequests.ts'
import { forbidPush } from '../../push/subscriptions.ts'
import { normaliseDomains } from './emailDomains.ts'
import { effectivePolicyOf, initialPolicy, lifeLimitOf } from './effectivePolicy.ts'
import { getAdministrator } from '../roles/permissions.ts'
import { notifyAdministrators } from '../roles/notifyAdministrators.ts'

type Key = keyof OrganizationPolicy

const keys = Object.keys(initialPolicy) as Key[]

/** A value as an audit entry contains it: lists and days as text. */
function toAuditValue(policy: OrganizationPolicy, key: Key): string | number | boolean {
  if (key === 'twoFactorFrom') return policy[key] === 0 ? 'none' : new Date(policy[key]).toISOString()
  const value = policy[key]
  return Array.isArray(value) ? value.join(', ') : value
}

/** A new start of the second factor requirement must lie in the future; the stored one may stay. */
function checkStartDay(
  before: OrganizationPolicy,
  { twoFactor, twoFactorFrom: from }: OrganizationPolicy,
  now: number,
) {
  if (from === 0 || from === before.twoFactorFrom) return
  if (!twoFactor || from <= now || from > now + limits.maxAnnouncement) throw new AppError('POLICY_DATE_INVALID')
}

/** Whether the policy requires less than before, admits more people, or shows members to one another. */
function isWeaker(before: OrganizationPolicy, after: OrganizationPolicy): boolean {
  const [oldDomains, newDomains] = [before.allowedEmailDomains, after.allowedEmailDomains]
  const isWider =
    oldDomains.length > 0 && (newDomains.length === 0 || newDomains.some((domain) => !oldDomains.includes(domain)))
  return (
    isWider ||
    after.sessionDays > before.sessionDays ||
    (before.lockAfter > 0 && (after.lockAfter === 0 || after.lockAfter > before.lockAfter)) ||
    (before.twoFactor && after.twoFactorFrom > before.twoFactorFrom) ||
    (!before.directory && after.directory) ||
    keys.some((key) => key !== 'directory' && before[key] === true && after[key] === false)
  )
}

export async function getPolicy({ db }: Core, caller: Caller): Promise<OrganizationPolicy> {
  return effectivePolicyOf(db.read, (await getAdministrator(db.read, caller)).organization_id)
}

/**
 * Takes effect for every member at once; those who are signed in are notified. A call that changes nothing writes no
 * entry.
 */
export function updatePolicy(
  core: Core,
  caller: Caller,
  part: Received<typeof contract.update>['body'],
): Promise<OrganizationPolicy> {
  const { allowedEmailDomains: domains } = part
  const changes = domains === undefined ? part : { ...part, allowedEmailDomains: normaliseDomains(domains) }
  return core.db.write(async (tx) => {
    const { organization_id: organizationId } = await getAdministrator(tx, caller)
    const before = await effectivePolicyOf(tx, organizationId)
    const requested: OrganizationPolicy = { ...before, ...changes }
    checkStartDay(before, requested, core.clock.now())
    const after = requested.twoFactor ? requested : { ...requested, twoFactorFrom: 0 }
    const changed = keys.filter((key) => toAuditValue(before, key) !== toAuditValue(after, key))
    if (changed.length === 0) return before
    if (isWeaker(before, after)) await requireConfirmed(tx, core, caller)
    const stored = keys.filter((key) => toAuditValue(after, key) !== toAuditValue(initialPolicy, key))
    await tx.run('update organizations set policy = ? where id = ?', [
      JSON.stringify(Object.fromEntries(stored.map((key) => [key, after[key]]))),
      organizationId,
    ])
    const details = Object.fromEntries(
      changed.flatMap((key) => [
        [`${key}.before`, toAuditValue(before, key)],
        [`${key}.after`, toAuditValue(after, key)],
      ]),
    )
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'policy_changed', actorId, address, details, at: core.clock.now() })
    if (changed.includes('sessionTimeout')) await applyPolicyIdleLimit(tx, core, organizationId, after.sessionTimeout)
    if (changed.includes('sessionDays')) {
      await core.sessions.setLifeLimit(tx, organizationId, lifeLimitOf(after))
      tx.afterCommit(() => core.background.run('sessions past their life', () => endIdleSessions(core)))
    }
    if (after.pushForbidden) await forbidPush(tx, organizationId)
    if (before.directory && !after.directory) await deleteRequestsOfOrganization(tx, core, organizationId)
    notifyAdministrators(tx, core, organizationId)
    tx.afterCommit(() => core.bus.publish('policyChanged', { organizationId }))
    return after
  })
}
