import { AppError } from '@privity/contract/errors'
import type { Role } from '@privity/contract/session'
import type { Reader } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** The one place that defines who may act on whom in an organization. */
const ranks: Record<Role, number> = { user: 0, org_admin: 1, super_admin: 2 }

export type Administrator = Pick<UserRow, 'id' | 'role' | 'organization_id'>

/**
 * The caller as of this transaction: a right revoked since the call began no longer counts. Throws FORBIDDEN,
 * ACCOUNT_UNAVAILABLE, or NOT_SIGNED_IN if the account is gone.
 */
export async function administratorOf(db: Reader, { userId }: Caller): Promise<Administrator> {
  const row = await db.get<Administrator & Pick<UserRow, 'is_active' | 'suspended'>>(
    'select id, role, organization_id, is_active, suspended from users where id = ?',
    [userId],
  )
  if (row === undefined) throw new AppError('NOT_SIGNED_IN')
  if (row.is_active !== 1 || row.suspended === 1) throw new AppError('ACCOUNT_UNAVAILABLE')
  if (row.role === 'user') throw new AppError('FORBIDDEN')
  return row
}

/** Whether an administrator may assign this role, invite to it, or act on a user who has it. */
export const reaches = (administrator: Pick<Administrator, 'role'>, role: Role): boolean =>
  administrator.role !== 'user' && ranks[role] <= ranks[administrator.role]

export function requireReach(administrator: Administrator, role: Role): void {
  if (!reaches(administrator, role)) throw new AppError('ABOVE_RANK')
}

/** Only a Super Admin assigns roles. */
export function requireRoleGiver(administrator: Administrator): void {
  if (administrator.role !== 'super_admin') throw new AppError('FORBIDDEN')
}

/**
 * The user an administrator is about to act on: another member of the same organization, of no higher rank. People of
 * other organizations do not exist: throws USER_NOT_FOUND. Otherwise throws OWN_ACCOUNT or ABOVE_RANK.
 */
export async function subordinateOf(db: Reader, administrator: Administrator, userId: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where id = ? and organization_id = ?', [
    userId,
    administrator.organization_id,
  ])
  if (user === undefined) throw new AppError('USER_NOT_FOUND')
  if (user.id === administrator.id) throw new AppError('OWN_ACCOUNT')
  requireReach(administrator, user.role)
  return user
}

/**
 * The user the founder is about to act on: the founder is above all ranks and organizations. Throws ACCOUNT_NOT_FOUND.
 * The founder too must leave an organization its last Super Admin (decision 022).
 */
export async function anyUser(db: Reader, userId: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where id = ?', [userId])
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}
