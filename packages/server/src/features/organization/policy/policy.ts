import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { OrganizationPolicy, organizationPolicy as contract } from '@privity/contract/organization'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { endIdleSessions, followPolicyIdleLimit } from '../../session/idleLimit.ts'
import { normaliseDomains } from './emailDomains.ts'
import { fullPolicyOf, initialPolicy, lifeLimitOf } from './effectivePolicy.ts'
import { administratorOf } from '../roles/permissions.ts'
import { tellOfChange } from '../roles/notifyAdministrators.ts'

type Key = keyof OrganizationPolicy

const keys = Object.keys(initialPolicy) as Key[]

/** A value as an audit entry contains it: lists and days as text. */
function written(policy: OrganizationPolicy, key: Key): string | number | boolean {
  if (key === 'twoFactorFrom') return policy[key] === 0 ? 'none' : new Date(policy[key]).toISOString()
  const value = policy[key]
  return Array.isArray(value) ? value.join(', ') : value
}

/** A new day must lie in the future; the stored one may stay. */
function checkDay(before: OrganizationPolicy, { twoFactor, twoFactorFrom: from }: OrganizationPolicy, now: number) {
  if (from === 0 || from === before.twoFactorFrom) return
  if (!twoFactor || from <= now || from > now + limits.announcementMost) throw new AppError('POLICY_DATE_INVALID')
}

/** Whether the policy requires less than before, or admits more people. */
function weakens(before: OrganizationPolicy, after: OrganizationPolicy): boolean {
  const [had, has] = [before.allowedEmailDomains, after.allowedEmailDomains]
  const isWider = had.length > 0 && (has.length === 0 || has.some((domain) => !had.includes(domain)))
  return (
    isWider ||
    after.sessionDays > before.sessionDays ||
    (before.twoFactor && after.twoFactorFrom > before.twoFactorFrom) ||
    keys.some((key) => before[key] === true && after[key] === false)
  )
}

export async function getPolicy({ db }: Core, caller: Caller): Promise<OrganizationPolicy> {
  return fullPolicyOf(db.read, (await administratorOf(db.read, caller)).organization_id)
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
  const given = domains === undefined ? part : { ...part, allowedEmailDomains: normaliseDomains(domains) }
  return core.db.write(async (tx) => {
    const { organization_id: organizationId } = await administratorOf(tx, caller)
    const before = await fullPolicyOf(tx, organizationId)
    const wanted: OrganizationPolicy = { ...before, ...given }
    checkDay(before, wanted, core.clock.now())
    const after = wanted.twoFactor ? wanted : { ...wanted, twoFactorFrom: 0 }
    const changed = keys.filter((key) => written(before, key) !== written(after, key))
    if (changed.length === 0) return before
    if (weakens(before, after)) await requireConfirmed(tx, core, caller)
    const stored = keys.filter((key) => written(after, key) !== written(initialPolicy, key))
    await tx.run('update organizations set policy = ? where id = ?', [
      JSON.stringify(Object.fromEntries(stored.map((key) => [key, after[key]]))),
      organizationId,
    ])
    const details = Object.fromEntries(
      changed.flatMap((key) => [
        [`${key}.before`, written(before, key)],
        [`${key}.after`, written(after, key)],
      ]),
    )
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'policy_changed', actorId, address, details, at: core.clock.now() })
    if (changed.includes('sessionTimeout')) await followPolicyIdleLimit(tx, core, organizationId, after.sessionTimeout)
    if (changed.includes('sessionDays')) {
      await core.sessions.setLifeLimit(tx, organizationId, lifeLimitOf(after))
      tx.afterCommit(() => core.background.run('sessions past their life', () => endIdleSessions(core)))
    }
    tellOfChange(tx, core, organizationId)
    tx.afterCommit(() => core.bus.publish('policyChanged', { organizationId }))
    return after
  })
}
