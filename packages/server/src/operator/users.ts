import { invitationLink } from '@privity/contract/invitationLink'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Role } from '@privity/contract/session'
import { organizationWord } from '@privity/contract/values'
import { audit } from '../core/audit/audit.ts'
import type { Reader } from '../core/database/types.ts'
import type { UserRow } from '../core/database/tables/users.ts'
import type { OrganizationRow } from '../core/database/tables/organization.ts'
import { revokeInvitationsBy } from '../features/organization/invitations/invitations.ts'
import { checkNotLastSuperAdmin } from '../features/organization/roles/lastSuperAdmin.ts'
import { addExternalInvitation, addFirstInvitation, addOrganization } from '../features/organization/newOrganization.ts'
import { resetFounderLocks, resetLocks } from '../features/session/locks.ts'
import { addNotification } from '../features/notifications/notifications.ts'
import { removeSecondFactor, requireSecondFactor } from '../features/secondFactor/disable.ts'
import type { Operator } from './operator.ts'
import { Refusal } from './operator.ts'

async function userNamed(db: Reader, username: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where username = ?', [username.toLowerCase()])
  if (user === undefined) throw new Refusal(`There is no user "${username}".`)
  return user
}

/** Finds an organization by id or name; by default the oldest, which people without an invitation join. */
async function organizationNamed(db: Reader, idOrName: string | undefined): Promise<OrganizationRow> {
  const found = await db.all<OrganizationRow>(
    idOrName === undefined
      ? 'select * from organizations order by created_at, id limit 1'
      : 'select * from organizations where id = ? or name = ?',
    idOrName === undefined ? [] : [idOrName, idOrName],
  )
  const [organization] = found
  if (organization === undefined) throw new Refusal(`There is no organization "${idOrName ?? ''}".`)
  if (found.length > 1)
    throw new Refusal(`There are ${found.length} organizations called "${idOrName ?? ''}": give its id.`)
  return organization
}

const day = 24 * 60 * 60 * 1000

function linkOf({ config }: Operator, token: string): string {
  const { publicUrl, tls, port } = config
  const origin = publicUrl ?? `${tls === undefined ? 'http' : 'https'}://localhost:${port}`
  return invitationLink(origin, token)
}

export interface Invited {
  organizationId: string
  organization: string
  role: Role
  invitationId: string
  link: string
  expiresAt: number
}

/** Creates a single-use link: the account and its keys are made in the browser that opens it. */
export function invite(operator: Operator, idOrName: string | undefined, role: Role, days: number): Promise<Invited> {
  return operator.db.write(async (tx) => {
    const { id: organizationId, name } = await organizationNamed(tx, idOrName)
    const now = operator.clock.now()
    const expiresAt = now + days * day
    const { id, token } = await addExternalInvitation(tx, { actorId: 'operator', organizationId, role, expiresAt, now })
    return { organizationId, organization: name, role, invitationId: id, link: linkOf(operator, token), expiresAt }
  })
}

/** Renews the invitation that the first start printed, as long as there is no Super Admin. */
export function renewFirstInvitation(operator: Operator): Promise<Invited> {
  return operator.db.write(async (tx) => {
    if ((await tx.get("select 1 from users where role = 'super_admin' limit 1")) !== undefined)
      throw new Refusal('There is already a Super Admin: create an invitation with `user create`.')
    const { id: organizationId, name } = await organizationNamed(tx, undefined)
    const now = operator.clock.now()
    const { id, token, role, expiresAt } = await addFirstInvitation(tx, { actorId: 'operator', organizationId, now })
    return { organizationId, organization: name, role, invitationId: id, link: linkOf(operator, token), expiresAt }
  })
}

function parseWord(field: 'name' | 'type', text: string): string {
  const { data } = organizationWord.safeParse(text)
  if (data === undefined)
    throw new Refusal(
      `The ${field} of an organization is one line of 1 to ${limits.organizationNameCharacters} visible characters.`,
    )
  return data
}

/** Creates an organization and the link for its first administrator. */
export function createOrganization(operator: Operator, name: string, type: string, days: number): Promise<Invited> {
  const [asName, asType] = [parseWord('name', name), parseWord('type', type)]
  return operator.db.write(async (tx) => {
    const now = operator.clock.now()
    const created = await addOrganization(tx, {
      actorId: 'operator',
      name: asName,
      type: asType,
      expiresAt: now + days * day,
      now,
    })
    const { id, invitationId, role, expiresAt } = created
    const link = linkOf(operator, created.token)
    return { organizationId: id, organization: asName, role, invitationId, link, expiresAt }
  })
}

export interface RoleSet {
  username: string
  before: Role
  after: Role
  sessionsEnded: number
}

/** Follows the dashboard's rules: the last super_admin keeps the role, and the user's sessions end. */
export async function setRole({ db, clock }: Operator, username: string, role: Role): Promise<RoleSet> {
  try {
    return await db.write(async (tx) => {
      const user = await userNamed(tx, username)
      if (user.role === role) return { username: user.username, before: role, after: role, sessionsEnded: 0 }
      if (role !== 'super_admin') await checkNotLastSuperAdmin(tx, user)
      await tx.run('update users set role = ? where id = ?', [role, user.id])
      await revokeInvitationsBy(tx, { clock }, { ...user, role }, 'aboveRole')
      const { changes } = await tx.run('delete from sessions where user_id = ?', [user.id])
      await audit(tx, {
        action: 'user_role_changed',
        actorId: 'operator',
        targetId: user.id,
        details: { before: user.role, after: role },
        at: clock.now(),
      })
      return { username: user.username, before: user.role, after: role, sessionsEnded: changes }
    })
  } catch (error) {
    throw error instanceof AppError && error.code === 'LAST_SUPER_ADMIN' ? new Refusal(error.message) : error
  }
}

export interface FactorReset {
  username: string
  sessionsEnded: number
}

/** For a Super Admin who has lost every factor and has no superior. The member is notified at the next sign-in. */
export async function resetFactor(operator: Operator, username: string): Promise<FactorReset> {
  const { db, clock } = operator
  try {
    return await db.write(async (tx) => {
      const user = await userNamed(tx, username)
      await requireSecondFactor(tx, user.id)
      await removeSecondFactor(tx, operator, user.id)
      const { changes } = await tx.run('delete from sessions where user_id = ?', [user.id])
      await addNotification(tx, operator, user.id, { kind: 'second_factor_reset' })
      const action = 'user_second_factor_reset'
      await audit(tx, { action, actorId: 'operator', targetId: user.id, at: clock.now() })
      return { username: user.username, sessionsEnded: changes }
    })
  } catch (error) {
    throw error instanceof AppError && error.code === 'SECOND_FACTOR_OFF' ? new Refusal(error.message) : error
  }
}

export interface LockReset {
  username: string
  locksEnded: number
}

export function resetLock({ db, clock }: Operator, username: string): Promise<LockReset> {
  return db.write(async (tx) => {
    const user = await userNamed(tx, username)
    const { counters } = await resetLocks(tx, user.id)
    if (counters > 0)
      await audit(tx, {
        action: 'lock_reset',
        actorId: 'operator',
        targetId: user.id,
        details: { counters },
        at: clock.now(),
      })
    return { username: user.username, locksEnded: counters }
  })
}

export interface FounderLockReset {
  founder: true
  locksEnded: number
}

/** Unlocks the founder, whom strangers' failures have locked out of every browser not used for signing in before. */
export function resetFounderLock({ db, clock }: Operator): Promise<FounderLockReset> {
  return db.write(async (tx) => {
    const counters = await resetFounderLocks(tx)
    const details = { counters, founder: true }
    if (counters > 0) await audit(tx, { action: 'lock_reset', actorId: 'operator', details, at: clock.now() })
    return { founder: true, locksEnded: counters }
  })
}
