import type { Reader } from '../../core/database/types.ts'
import { inForce, policiesOf, policyOf } from '../preferences/preferences.ts'
import { hasSecondFactor, withSecondFactor } from './enrollment.ts'

/**
 * Whether the organization requires a second factor and the user has none: such a user may set one up, and nothing
 * else.
 */
export async function isFactorMissing(db: Reader, userId: string, now: number): Promise<boolean> {
  const { twoFactor } = inForce(await policyOf(db, userId), now)
  return twoFactor && !(await hasSecondFactor(db, userId))
}

const atOnce = 500

/** Like isFactorMissing, for many users at once: returns the users without a required factor. */
export async function whoseFactorIsMissing(db: Reader, userIds: readonly string[], now: number): Promise<string[]> {
  const missing: string[] = []
  for (let at = 0; at < userIds.length; at += atOnce) {
    const policies = await policiesOf(db, userIds.slice(at, at + atOnce))
    const asked = [...policies].filter(([, policy]) => inForce(policy, now).twoFactor).map(([userId]) => userId)
    const have = await withSecondFactor(db, asked)
    missing.push(...asked.filter((userId) => !have.has(userId)))
  }
  return missing
}
