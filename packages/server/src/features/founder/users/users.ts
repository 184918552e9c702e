import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { FounderUser, founderUsers as contract } from '@privity/contract/founder/users'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/guards.ts'
import { deleteUser } from '../../account/deleteUser.ts'
import { finishChange, tellContactsOfStatus } from '../../organization/finishChange.ts'
import { revokeInvitationsBy } from '../../organization/invitations.ts'
import { keepSuperAdmin } from '../../organization/lastSuperAdmin.ts'
import { listUser, listUsers } from '../../organization/listing.ts'
import { anyUser } from '../../organization/rank.ts'
import { requireConfirmed } from '../secondFactor/requireConfirmed.ts'

export const getUsers = (
  { db, clock }: Core,
  query: Received<typeof contract.list>['query'],
): Promise<Result<typeof contract.list>> => listUsers(db.read, 'everywhere', query, clock.now())

const lastSuperAdmin =
  'This is the last Super Admin of an organization with other members. Another member must have that role first.'

/** The same refusal, to somebody who gives no roles. */
async function inFounderWords<T>(acting: Promise<T>): Promise<T> {
  try {
    return await acting
  } catch (error) {
    if (error instanceof AppError && error.code === 'LAST_SUPER_ADMIN')
      throw new AppError('LAST_SUPER_ADMIN', { message: lastSuperAdmin })
    throw error
  }
}

/** Sessions and sockets of who is suspended end, and so do the invitations he made. What changes nothing leaves no entry. */
export const setSuspended = (
  core: Core,
  { address }: Founder,
  userId: string,
  suspended: boolean,
): Promise<FounderUser> =>
  inFounderWords(
    core.db.write(async (tx) => {
      const user = await anyUser(tx, userId)
      const after = { ...user, suspended: suspended ? 1 : 0 }
      if (user.suspended === after.suspended) return listUser(tx, user, core.clock.now())
      if (suspended) {
        await keepSuperAdmin(tx, user)
        await revokeInvitationsBy(tx, core, user, 'all')
      }
      await tx.run('update users set suspended = ? where id = ?', [after.suspended, userId])
      const change = suspended
        ? ({ action: 'user_suspended', before: false, after: true, reason: 'suspended' } as const)
        : ({ action: 'user_unsuspended', before: true, after: false } as const)
      await finishChange(tx, core, { actorId: 'founder', address }, user, change)
      tellContactsOfStatus(tx, core, userId)
      return listUser(tx, after, core.clock.now())
    }),
  )

export const removeUser = (core: Core, founder: Founder, userId: string): Promise<void> =>
  inFounderWords(
    deleteUser(core, { userId, actorId: 'founder', address: founder.address, action: 'user_deleted' }, (remove) =>
      core.db.write(async (tx) => {
        await keepSuperAdmin(tx, await anyUser(tx, userId))
        await requireConfirmed(tx, core, founder)
        return remove(tx)
      }),
    ),
  )
