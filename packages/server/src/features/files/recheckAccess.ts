import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { checkSession } from '../session/passwordCheck.ts'

/**
 * Re-checks the session and the second factor after registering a transfer: a revocation between the guard and this
 * moment found no transfer to abort.
 */
export async function recheckAccess(core: Core, caller: Caller): Promise<void> {
  await checkSession(core.db.read, caller)
  if (await core.isFactorMissing(caller.userId)) throw new AppError('SECOND_FACTOR_MISSING')
}
