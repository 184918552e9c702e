import type { Result } from '@privity/contract/endpoint'
import type { organizationPolicy } from '@privity/contract/organization'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { countWithoutSecondFactor } from '../../secondFactor/enrollment.ts'
import { isAllowed, normaliseDomains } from './emailDomains.ts'
import { effectivePolicyOf } from './effectivePolicy.ts'
import { getAdministrator } from '../roles/permissions.ts'

/** `rtrim` strips the domain's characters, so its length is the position of the `@`. */
const domainsOfMembers = (db: Reader, organizationId: string) =>
  db.all<{ domain: string; members: number }>(
    `select substr(email, length(rtrim(email, replace(email, '@', '')))) as domain, count(*) as members from users
     where organization_id = ? group by domain`,
    [organizationId],
  )

/** Counts the members whom a stricter policy would affect, before it is saved. */
export async function getPolicyImpact(
  { db }: Core,
  caller: Caller,
  domain: string | undefined,
): Promise<Result<typeof organizationPolicy.reach>> {
  const { organization_id: organizationId } = await getAdministrator(db.read, caller)
  const { allowedEmailDomains } = await effectivePolicyOf(db.read, organizationId)
  const domains = [...allowedEmailDomains, ...(domain === undefined ? [] : normaliseDomains([domain]))]
  const outside = (await domainsOfMembers(db.read, organizationId)).filter((each) => !isAllowed(each.domain, domains))
  return {
    withoutSecondFactor: await countWithoutSecondFactor(db.read, organizationId),
    outsideDomains: outside.reduce((total, { members }) => total + members, 0),
  }
}
