import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { founderOrganizations as contract, ListedOrganization } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { inviteFromOutside, makeOrganization } from '../../organization/newOrganization.ts'
import { requireConfirmed } from '../secondFactor/confirmationRequirement.ts'
import { countOrganizations, revokeAllOpen, selectOrganization, selectOrganizations } from './queries.ts'

type Invited = Result<typeof contract.create>

export async function listOrganizations(
  { db }: Core,
  { after, limit }: Received<typeof contract.list>['query'],
): Promise<Result<typeof contract.list>> {
  const rows = await selectOrganizations(db.read, { after, limit: limit + 1 })
  const organizations = rows.slice(0, limit)
  const next = rows.length > limit ? (organizations.at(-1)?.id ?? null) : null
  return { organizations, next, total: await countOrganizations(db.read) }
}

async function organizationOf(db: Reader, id: string): Promise<ListedOrganization> {
  const organization = await selectOrganization(db, id)
  if (organization === undefined) throw new AppError('ORGANIZATION_NOT_FOUND')
  return organization
}

/** Only this response contains the token: the database has its hash. */
export function createOrganization(
  core: Core,
  founder: Founder,
  { name, type }: Received<typeof contract.create>['body'],
): Promise<Invited> {
  const { address } = founder
  return core.db.write(async (tx) => {
    await requireConfirmed(tx, core, founder)
    const now = core.clock.now()
    const expiresAt = now + limits.invitationUsual
    const made = await makeOrganization(tx, { actorId: 'founder', address, name, type, expiresAt, now })
    return { organization: await organizationOf(tx, made.id), token: made.token, expiresAt }
  })
}

/**
 * For an invitation that was lost or has expired. Once the organization has a member, its own administrators invite.
 */
export function inviteFirst(core: Core, founder: Founder, organizationId: string): Promise<Invited> {
  const { address } = founder
  return core.db.write(async (tx) => {
    const organization = await organizationOf(tx, organizationId)
    if (organization.members > 0) throw new AppError('ORGANIZATION_HAS_MEMBERS')
    await requireConfirmed(tx, core, founder)
    const now = core.clock.now()
    const by = { actorId: 'founder', organizationId, address } as const
    for (const { id } of await revokeAllOpen(tx, organizationId, now))
      await audit(tx, { action: 'invitation_revoked', ...by, targetId: id, at: now })
    const expiresAt = now + limits.invitationUsual
    const { token } = await inviteFromOutside(tx, { ...by, role: 'super_admin', expiresAt, now })
    return { organization, token, expiresAt }
  })
}
