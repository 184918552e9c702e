import type { Reader } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'

/** Whether signing in to this account needs more than its password: an authenticator app or a passkey. */
export async function hasSecondFactor(db: Reader, userId: string): Promise<boolean> {
  const found = await db.get(
    `select 1 from authenticator_apps where user_id = ?
     union all select 1 from passkeys where user_id = ? limit 1`,
    [userId, userId],
  )
  return found !== undefined
}

/** The users among these whose account needs more than its password. */
export async function withSecondFactor(db: Reader, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const asked = padToPowerOfTwo(userIds)
  const places = placeholders(asked)
  const rows = await db.all<{ user_id: string }>(
    `select user_id from authenticator_apps where user_id in (${places})
     union select user_id from passkeys where user_id in (${places})`,
    [...asked, ...asked],
  )
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Counts active members without a second factor. It reads every member, so it is for rare questions. */
export async function countWithoutSecondFactor(db: Reader, organizationId: string): Promise<number> {
  const found = await db.get<{ members: number }>(
    `select count(*) as members from users u
     where u.organization_id = ? and u.is_active = 1 and u.suspended = 0
       and not exists (select 1 from authenticator_apps where user_id = u.id)
       and not exists (select 1 from passkeys where user_id = u.id)`,
    [organizationId],
  )
  return found?.members ?? 0
}
