import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { checkSession } from '../session/passwordCheck.ts'

/**
 * Asked again once a transfer is known to be under way: what ended its user's session, or began to require a second
 * factor of him, between the guard and this moment found nothing to end. From here on it does.
 */
export async function checkStillAdmitted(core: Core, caller: Caller): Promise<void> {
  await checkSession(core.db.read, caller)
  if (await core.isFactorMissing(caller.userId)) throw new AppError('SECOND_FACTOR_MISSING')
}
