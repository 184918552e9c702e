import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import type { OrganizationUser } from '@privity/contract/organization'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Founder } from '../../core/http/guards.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { deleteUser } from '../account/deletion.ts'
import { completeUserChange, notifyContactsOfStatus } from '../organization/users/userChange.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { checkNotLastSuperAdmin } from '../organization/roles/lastSuperAdmin.ts'
import { listUser, listUsers } from '../organization/users/userList.ts'
import { getAnyUser } from '../organization/roles/permissions.ts'
import { requireConfirmed } from './secondFactor/proof.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import { implement } from '../../core/http/implement.ts'

type Organization = FounderUser['organization']

/** The organization of each of these users by user id; deleted users are missing. */
async function organizationsOf(db: Reader, userIds: readonly string[]): Promise<ReadonlyMap<string, Organization>> {
  if (userIds.length === 0) return new Map()
  const padded = padToPowerOfTwo(userIds)
  const rows = await db.all<Organization & { userId: string }>(
    `select u.id as "userId", o.id, o.name from users u join organizations o on o.id = u.organization_id
     where u.id in (${placeholders(padded)})`,
    padded,
  )
  return new Map(rows.map(({ userId, id, name }) => [userId, { id, name }]))
}

/** Users as the founder sees them, each with the organization. Leaves out users deleted in between. */
async function toFounderUsers(db: Reader, users: readonly OrganizationUser[]): Promise<FounderUser[]> {
  const organizations = await organizationsOf(
    db,
    users.map(({ id }) => id),
  )
  return users.flatMap((user) => {
    const organization = organizations.get(user.id)
    return organization ? [{ ...user, organization }] : []
  })
}

async function getUsers(
  { db, clock }: Core,
  { organization = 'everywhere', ...query }: Received<typeof founderUsers.list>['query'],
): Promise<Result<typeof founderUsers.list>> {
  const page = await listUsers(db.read, organization, query, clock.now())
  return { ...page, users: await toFounderUsers(db.read, page.users) }
}

async function founderUserOf(db: Reader, row: UserRow, now: number): Promise<FounderUser> {
  const [user] = await toFounderUsers(db, [await listUser(db, row, now)])
  return user as FounderUser
}

const lastSuperAdmin =
  'This is the last Super Admin of an organization with other members. Another member must have that role first.'

/** The same refusal, worded for the founder, who cannot assign roles. */
async function rewordForFounder<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (error instanceof AppError && error.code === 'LAST_SUPER_ADMIN')
      throw new AppError('LAST_SUPER_ADMIN', { message: lastSuperAdmin })
    throw error
  }
}

/**
 * Suspending ends the user's sessions and sockets and revokes their invitations. A call that changes nothing writes no
 * entry.
 */
const setSuspended = (core: Core, founder: Founder, userId: string, suspended: boolean): Promise<FounderUser> =>
  rewordForFounder(
    core.db.write(async (tx) => {
      const user = await getAnyUser(tx, userId)
      const after = { ...user, suspended: suspended ? 1 : 0 }
      if (user.suspended === after.suspended) return founderUserOf(tx, user, core.clock.now())
      if (suspended) {
        await checkNotLastSuperAdmin(tx, user)
        await revokeInvitationsBy(tx, core, user, 'all')
      } else await requireConfirmed(tx, core, founder)
      await tx.run('update users set suspended = ? where id = ?', [after.suspended, userId])
      const change = suspended
        ? ({ action: 'user_suspended', before: false, after: true, reason: 'suspended' } as const)
        : ({ action: 'user_unsuspended', before: true, after: false } as const)
      await completeUserChange(tx, core, { actorId: 'founder', address: founder.address }, user, change)
      notifyContactsOfStatus(tx, core, userId)
      return founderUserOf(tx, after, core.clock.now())
    }),
  )

const removeUser = (core: Core, founder: Founder, userId: string): Promise<void> =>
  rewordForFounder(
    deleteUser(core, { userId, actorId: 'founder', address: founder.address, action: 'user_deleted' }, (remove) =>
      core.db.write(async (tx) => {
        await checkNotLastSuperAdmin(tx, await getAnyUser(tx, userId))
        await requireConfirmed(tx, core, founder)
        return remove(tx)
      }),
    ),
  )

export function mountFounderUsers(app: FastifyInstance, core: Core): void {
  implement(app, core, founderUsers, {
    list: ({ query }) => getUsers(core, query),
    suspend: ({ founder, params }) => setSuspended(core, founder, params.id, true),
    unsuspend: ({ founder, params }) => setSuspended(core, founder, params.id, false),
    async remove({ founder, params }) {
      await removeUser(core, founder, params.id)
      return {}
    },
  })
}
