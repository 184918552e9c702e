import { AppError } from '@privity/contract/errors'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** Whether a Super Admin other than this user can sign in to the organization. */
async function hasOtherSuperAdmin(db: Reader, organizationId: string, userId: string): Promise<boolean> {
  const found = await db.get(
    `select 1 from users where organization_id = ? and id <> ? and role = 'super_admin'
       and is_active = 1 and suspended = 0 limit 1`,
    [organizationId, userId],
  )
  return found !== undefined
}

async function hasOtherMember(db: Reader, organizationId: string, userId: string): Promise<boolean> {
  const found = await db.get('select 1 from users where organization_id = ? and id <> ? limit 1', [
    organizationId,
    userId,
  ])
  return found !== undefined
}

/**
 * An organization with members keeps a Super Admin, who can assign roles. Call it in the transaction that deletes,
 * demotes, deactivates or suspends an account. Throws LAST_SUPER_ADMIN.
 */
export async function checkNotLastSuperAdmin(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'role' | 'organization_id'>,
): Promise<void> {
  const { id, role, organization_id: organizationId } = user
  if (role !== 'super_admin' || (await hasOtherSuperAdmin(tx, organizationId, id))) return
  if (await hasOtherMember(tx, organizationId, id)) throw new AppError('LAST_SUPER_ADMIN')
}
