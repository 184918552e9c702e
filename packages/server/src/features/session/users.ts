import type { User, UserProfile } from '@privity/contract/session'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'

export const findUserByName = (db: Reader, username: string): Promise<UserRow | undefined> =>
  db.get('select * from users where username = ?', [username])

export async function getUser(db: Reader, id: string): Promise<UserRow> {
  const found = await db.get<UserRow>('select * from users where id = ?', [id])
  if (found === undefined) throw new AppError('NOT_SIGNED_IN')
  return found
}

type ProfileColumn = 'username' | 'first_name' | 'last_name' | 'email' | 'role' | 'is_active' | 'suspended'

/** The facts about a user that the user and the administrators see alike. */
export const toProfile = (row: Pick<UserRow, ProfileColumn | 'id' | 'created_at'>): UserProfile => ({
  id: row.id,
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  role: row.role,
  isActive: row.is_active === 1,
  suspended: row.suspended === 1,
  createdAt: row.created_at,
})

/** A user as they see themselves. */
export function toUser(row: UserRow): User {
  return {
    ...toProfile(row),
    connectionCode: row.connection_code,
    hasKeys: row.identity_key !== null,
    ...(row.password_version !== 1 && { passwordVersion: row.password_version }),
    ...(row.recovery_key_unsaved === 1 && { recoveryKeyUnsaved: true }),
  }
}

/** Stores a hash of the same password under another cost. */
export async function renewPasswordHash(tx: Tx, core: Core, userId: string, passwordHash: string): Promise<void> {
  await tx.run('update users set password_hash = ? where id = ?', [passwordHash, userId])
  tx.afterCommit(core.db.emptyLogSoon)
}
