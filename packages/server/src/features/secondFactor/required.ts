import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/db.ts'
import { policyOf } from '../preferences/preferences.ts'
import { hasSecondFactor } from './enabled.ts'

/** Whether the organization requires a second factor and the user has none: he may set one up, and nothing else. */
export async function isFactorMissing(db: Reader, userId: string): Promise<boolean> {
  const { twoFactor } = await policyOf(db, userId)
  return twoFactor && !(await hasSecondFactor(db, userId))
}

/** For a policy that may have changed. Calls ask anew each time; sockets that are open have to be closed. */
export async function followFactorPolicy(tx: Tx, core: Core, userId: string): Promise<void> {
  if (await isFactorMissing(tx, userId)) tx.afterCommit(() => core.bus.publish('factorMissing', { userId }))
}
