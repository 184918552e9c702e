import { AppError } from '@privity/contract/errors'
import type { Role } from '@privity/contract/session'
import type { Reader } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** The one place that says who may do what to whom in an organization. */
const ranks: Record<Role, number> = { user: 0, org_admin: 1, super_admin: 2 }

export type Administrator = Pick<UserRow, 'id' | 'role' | 'organization_id'>

/**
 * The caller as he is in this transaction: what was taken from him since his call began, he has no more. Throws
 * FORBIDDEN, ACCOUNT_UNAVAILABLE, or NOT_SIGNED_IN where the account is gone.
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

/** Whether an administrator may give this role, invite to it, or act on who has it. */
export const reaches = (administrator: Pick<Administrator, 'role'>, role: Role): boolean =>
  administrator.role !== 'user' && ranks[role] <= ranks[administrator.role]

export function requireReach(administrator: Administrator, role: Role): void {
  if (!reaches(administrator, role)) throw new AppError('ABOVE_RANK')
}

/** Roles are given and taken by a Super Admin only. */
export function requireRoleGiver(administrator: Administrator): void {
  if (administrator.role !== 'super_admin') throw new AppError('FORBIDDEN')
}

/**
 * Whom the administrator is about to act on: another one of his organization, not above him. People of other
 * organizations do not exist for him: USER_NOT_FOUND. Else OWN_ACCOUNT or ABOVE_RANK.
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
 * Whom the founder is about to act on: he stands above all ranks and organizations. ACCOUNT_NOT_FOUND. That an
 * organization keeps its last Super Admin holds against him too (decision 022).
 */
export async function anyUser(db: Reader, userId: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where id = ?', [userId])
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}
