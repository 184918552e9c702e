import { randomBytes } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { SecondFactorState } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Tx } from '../../core/database/types.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { type MemberCall, runConfirmed, type Confirmation, recordChange } from './confirmation.ts'
import { hasSecondFactor } from './enrollment.ts'
import { beginSetup, deletePendingPasswords, finishSetup, deleteSetups, selectApp, selectSetup } from './queries.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import { changedState } from './state.ts'
import { secretBytes, findStep, toBase32, uriOf } from './totp.ts'

export interface ChangedState {
  state: SecondFactorState
  recoveryCodes: string[] | undefined
}

/**
 * Creates a secret for an authenticator app. It takes effect with `confirmTotp`: until then an app in use stays valid.
 */
export function startTotp(call: MemberCall, confirmation: Confirmation): Promise<{ secret: string; uri: string }> {
  const { core, caller } = call
  const bytes = randomBytes(secretBytes)
  const secret = toBase32(bytes)
  return runConfirmed(call, confirmation, async (tx, user) => {
    const now = core.clock.now()
    const { address, sessionId } = caller
    const encrypted = core.secrets.encryptAtRest(bytes.toString('base64url'))
    await beginSetup(tx, { user_id: user.id, secret: encrypted, created_at: now, session_id: sessionId })
    await audit(tx, { action: 'totp_setup_started', actorId: user.id, targetId: user.id, address, at: now })
    return { secret, uri: uriOf(secret, 'Privity', user.username) }
  })
}

/**
 * The first factor of an account comes with recovery codes; further ones leave them as they are. Other setups under way
 * are deleted: they needed only the password, and would bypass the factor that is on now.
 */
export async function createFirstRecoveryCodes(
  tx: Tx,
  call: MemberCall,
  isFirst: boolean,
): Promise<string[] | undefined> {
  if (!isFirst) return undefined
  await deleteSetups(tx, call.caller.userId)
  return createRecoveryCodes(tx, call.core, call.caller.userId)
}

/**
 * Switches the app on, in place of one in use: the code proves that it has the secret and the right time. The start of
 * the setup has checked the app in use, or another second factor. The recovery codes stay; recoveries that await the
 * replaced app are deleted.
 */
export function confirmTotp(call: MemberCall, code: string): Promise<ChangedState> {
  const { core, request, caller } = call
  const { userId, sessionId } = caller
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const now = core.clock.now()
    const setup = await selectSetup(tx, userId, sessionId, now - limits.totpSetupTime, now)
    if (setup === undefined) throw new AppError('SETUP_EXPIRED')
    const step = findStep(Buffer.from(core.secrets.decryptAtRest(setup.secret), 'base64url'), code, now)
    if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG')
    const isFirst = !(await hasSecondFactor(tx, userId))
    const isReplaced = (await selectApp(tx, userId)) !== undefined
    await finishSetup(tx, setup, step, now)
    const codes = await createFirstRecoveryCodes(tx, call, isFirst)
    if (isReplaced) {
      await deletePendingPasswords(tx, userId)
      tx.afterCommit(core.db.emptyLogSoon)
    }
    await recordChange(tx, call, isReplaced ? 'totp_replaced' : 'totp_added', true)
    return changedState(tx, core, request, userId, codes)
  })
}
