import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { founderOrganizations, type ListedOrganization } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Founder } from '../../core/http/guards.ts'
import { addFirstInvitation, addOrganization } from '../organization/newOrganization.ts'
import { requireConfirmed } from './secondFactor/proof.ts'
import { implement } from '../../core/http/implement.ts'

const listed = `select o.id, o.name, o.type, o.created_at as "createdAt",
    (select cast(coalesce(sum(c.users), 0) as bigint) from user_counts c where c.organization_id = o.id) as members
  from organizations o`

const selectOrganizations = (db: Reader, { after, limit }: { after: string | undefined; limit: number }) =>
  db.all<ListedOrganization>(`${listed} ${after === undefined ? '' : 'where o.id < ?'} order by o.id desc limit ?`, [
    ...(after === undefined ? [] : [after]),
    limit,
  ])

const selectOrganization = (db: Reader, id: string) => db.get<ListedOrganization>(`${listed} where o.id = ?`, [id])

const countOrganizations = async (db: Reader): Promise<number> =>
  (await db.get<{ total: number }>('select count(*) as total from organizations'))?.total ?? 0

type Invited = Result<typeof founderOrganizations.create>

async function listOrganizations(
  { db }: Core,
  { after, limit }: Received<typeof founderOrganizations.list>['query'],
): Promise<Result<typeof founderOrganizations.list>> {
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
function createOrganization(
  core: Core,
  founder: Founder,
  { name, type }: Received<typeof founderOrganizations.create>['body'],
): Promise<Invited> {
  const { address } = founder
  return core.db.write(async (tx) => {
    await requireConfirmed(tx, core, founder)
    const now = core.clock.now()
    const expiresAt = now + limits.invitationUsual
    const made = await addOrganization(tx, { actorId: 'founder', address, name, type, expiresAt, now })
    return { organization: await organizationOf(tx, made.id), token: made.token, expiresAt }
  })
}

/**
 * For an invitation that was lost or has expired. Once the organization has a member, its own administrators invite.
 */
function inviteFirst(core: Core, founder: Founder, organizationId: string): Promise<Invited> {
  const { address } = founder
  return core.db.write(async (tx) => {
    const organization = await organizationOf(tx, organizationId)
    if (organization.members > 0) throw new AppError('ORGANIZATION_HAS_MEMBERS')
    await requireConfirmed(tx, core, founder)
    const now = core.clock.now()
    const { token, expiresAt } = await addFirstInvitation(tx, { actorId: 'founder', organizationId, address, now })
    return { organization, token, expiresAt }
  })
}

export function mountFounderOrganizations(app: FastifyInstance, core: Core): void {
  implement(app, core, founderOrganizations, {
    list: ({ query }) => listOrganizations(core, query),
    create: ({ founder, body }) => createOrganization(core, founder, body),
    invite: ({ founder, params }) => inviteFirst(core, founder, params.id),
  })
}
