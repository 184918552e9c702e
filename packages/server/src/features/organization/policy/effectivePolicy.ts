import { type OrganizationPolicy, fullPolicy } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { defaultPolicy } from '@privity/contract/preferenceDefaults'
import type { Reader } from '../../../core/database/types.ts'

const day = 24 * 60 * 60 * 1000

export const initialPolicy: OrganizationPolicy = {
  ...defaultPolicy,
  sessionDays: limits.sessionLife / day,
  invitationOnly: false,
  allowedEmailDomains: [],
}

/** The policy that an organization has stored, over the defaults. */
export async function fullPolicyOf(db: Reader, organizationId: string): Promise<OrganizationPolicy> {
  const row = await db.get<{ policy: string }>('select policy from organizations where id = ?', [organizationId])
  const set = JSON.parse(row?.policy ?? '{}') as object
  return fullPolicy.parse({ ...initialPolicy, ...set })
}

/** Maximum age (ms) of the sessions of an organization's members. */
export const lifeLimitOf = ({ sessionDays }: OrganizationPolicy): number => sessionDays * day
