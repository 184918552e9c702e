import { AppError } from '@privity/contract/errors'
import type { Role } from '@privity/contract/session'
import type { Reader } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** The one definition of who may act on whom in an organization: on users of the same or a lower rank. */
const ranks: Record<Role, number> = { user: 0, org_admin: 1, super_admin: 2 }

export type Administrator = Pick<UserRow, 'id' | 'role' | 'organization_id'>

/**
 * Returns the caller as of this transaction: a role revoked since the call began no longer counts. Throws FORBIDDEN,
 * ACCOUNT_UNAVAILABLE, or NOT_SIGNED_IN if the account is gone.
 */
export async function getAdministrator(db: Reader, { userId }: Caller): Promise<Administrator> {
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
export const canManageRole = (administrator: Pick<Administrator, 'role'>, role: Role): boolean =>
  administrator.role !== 'user' && ranks[role] <= ranks[administrator.role]

export function checkCanManageRole(administrator: Administrator, role: Role): void {
  if (!canManageRole(administrator, role)) throw new AppError('ABOVE_RANK')
}

/** Only a Super Admin assigns roles. */
export function checkIsSuperAdmin(administrator: Administrator): void {
  if (administrator.role !== 'super_admin') throw new AppError('FORBIDDEN')
}

/**
 * Returns the user an administrator is about to act on: another member of the same organization, of no higher rank.
 * Throws OWN_ACCOUNT, ABOVE_RANK, or USER_NOT_FOUND, as if members of other organizations did not exist.
 */
export async function getManagedUser(db: Reader, administrator: Administrator, userId: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where id = ? and organization_id = ?', [
    userId,
    administrator.organization_id,
  ])
  if (user === undefined) throw new AppError('USER_NOT_FOUND')
  if (user.id === administrator.id) throw new AppError('OWN_ACCOUNT')
  checkCanManageRole(administrator, user.role)
  return user
}

/**
 * Returns the user the founder is about to act on, of any rank and organization. Throws ACCOUNT_NOT_FOUND. The founder
 * too must leave an organization its last Super Admin (decision 022).
 */
export async function getAnyUser(db: Reader, userId: string): Promise<UserRow> {
  const user = await db.get<UserRow>('select * from users where id = ?', [userId])
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}
