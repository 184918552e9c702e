import type { Reader } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders, splitIntoStatements } from '../../core/database/statements.ts'
import { inForce, policiesOf, policyOf } from '../preferences/preferences.ts'

/** Ends the setups of a user that are under way in any session. */
export { deleteSetups as endSetups } from './queries.ts'

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
export async function filterWithSecondFactor(db: Reader, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const padded = padToPowerOfTwo(userIds)
  const values = placeholders(padded)
  const rows = await db.all<{ user_id: string }>(
    `select user_id from authenticator_apps where user_id in (${values})
     union select user_id from passkeys where user_id in (${values})`,
    [...padded, ...padded],
  )
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Counts active members without a second factor. Reads every member, so it is for rare calls only. */
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

/**
 * Whether the organization requires a second factor and the user has none: such a user may set one up, and nothing
 * else.
 */
export async function isFactorMissing(db: Reader, userId: string, now: number): Promise<boolean> {
  const { twoFactor } = inForce(await policyOf(db, userId), now)
  return twoFactor && !(await hasSecondFactor(db, userId))
}

const batchSize = 500

/** Like isFactorMissing, for many users at once: returns the users without a required factor. */
export async function listUsersMissingFactor(db: Reader, userIds: readonly string[], now: number): Promise<string[]> {
  const missing: string[] = []
  for (const batch of splitIntoStatements(userIds, batchSize)) {
    const policies = await policiesOf(db, batch)
    const required = [...policies].filter(([, policy]) => inForce(policy, now).twoFactor).map(([userId]) => userId)
    const enrolled = await filterWithSecondFactor(db, required)
    missing.push(...required.filter((userId) => !enrolled.has(userId)))
  }
  return missing
}
