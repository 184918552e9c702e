import { type OrganizationPolicy, fullPolicy } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { defaultPolicy } from '@privity/contract/preferenceDefaults'
import type { Reader } from '../../../core/database/types.ts'

const dayMs = 24 * 60 * 60 * 1000

export const initialPolicy: OrganizationPolicy = {
  ...defaultPolicy,
  sessionDays: limits.sessionLife / dayMs,
  invitationOnly: false,
  allowedEmailDomains: [],
}

/** The policy that an organization has stored, over the defaults. */
export async function effectivePolicyOf(db: Reader, organizationId: string): Promise<OrganizationPolicy> {
  const row = await db.get<{ policy: string }>('select policy from organizations where id = ?', [organizationId])
  const stored = JSON.parse(row?.policy ?? '{}') as object
  return fullPolicy.parse({ ...initialPolicy, ...stored })
}

/** Maximum age (ms) of sessions of an organization's members. */
export const lifeLimitOf = ({ sessionDays }: OrganizationPolicy): number => sessionDays * dayMs
