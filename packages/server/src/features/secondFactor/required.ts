import type { Reader } from '../../core/db.ts'
import { policyOf } from '../preferences/preferences.ts'
import { hasSecondFactor } from './enabled.ts'

/** Whether the organization requires a second factor and the user has none: he may set one up, and nothing else. */
export async function isFactorMissing(db: Reader, userId: string): Promise<boolean> {
  const { twoFactor } = await policyOf(db, userId)
  return twoFactor && !(await hasSecondFactor(db, userId))
}
