import type { Reader } from '../../core/db.ts'

/** Whether signing in to this account takes more than its password: an authenticator app or a passkey. */
export async function hasSecondFactor(db: Reader, userId: string): Promise<boolean> {
  const found = await db.get(
    `select 1 from authenticator_apps where user_id = ? and confirmed_at is not null
     union all select 1 from passkeys where user_id = ? limit 1`,
    [userId, userId],
  )
  return found !== undefined
}
