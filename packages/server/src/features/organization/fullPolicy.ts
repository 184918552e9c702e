import { type OrganizationPolicy, fullPolicy } from '@privity/contract/organization'
import { defaultPolicy } from '@privity/contract/preferenceDefaults'
import type { Reader } from '../../core/db.ts'

/** What an organization asks, over the defaults. */
export async function fullPolicyOf(db: Reader, organizationId: string): Promise<OrganizationPolicy> {
  const row = await db.get<{ policy: string }>('select policy from organizations where id = ?', [organizationId])
  const set = JSON.parse(row?.policy ?? '{}') as object
  return fullPolicy.parse({ ...defaultPolicy, invitationOnly: false, allowedEmailDomains: [], ...set })
}
