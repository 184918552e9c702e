import { randomBytes } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { SecondFactorState } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Tx } from '../../core/database/types.ts'
import { type Asked, confirmed, type Confirmation, recordChange } from './confirmation.ts'
import { hasSecondFactor } from './enrollment.ts'
import { beginSetup, deleteProposals, finishSetup, forgetSetups, selectApp, selectSetup } from './queries.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import { changedState } from './state.ts'
import { secretBytes, stepOf, toBase32, uriOf } from './totp.ts'

export interface Changed {
  state: SecondFactorState
  recoveryCodes: string[] | undefined
}

/**
 * Creates a secret for an authenticator app. It takes effect with `confirmTotp`: until then an app in use stays valid.
 */
export function startTotp(asked: Asked, given: Confirmation): Promise<{ secret: string; uri: string }> {
  const { core, caller } = asked
  const bytes = randomBytes(secretBytes)
  const secret = toBase32(bytes)
  return confirmed(asked, given, async (tx, user) => {
    const now = core.clock.now()
    const { address, sessionId } = caller
    const sealed = core.secrets.sealAtRest(bytes.toString('base64url'))
    await beginSetup(tx, { user_id: user.id, secret: sealed, created_at: now, session_id: sessionId })
    await audit(tx, { action: 'totp_setup_started', actorId: user.id, targetId: user.id, address, at: now })
    return { secret, uri: uriOf(secret, 'Privity', user.username) }
  })
}

/**
 * The first factor of an account comes with recovery codes; further ones leave them as they are. Other setups under way
 * are deleted: they needed only the password, and would bypass the factor that is on now.
 */
export async function codesForFirst(tx: Tx, asked: Asked, isFirst: boolean): Promise<string[] | undefined> {
  if (!isFirst) return undefined
  await forgetSetups(tx, asked.caller.userId)
  return createRecoveryCodes(tx, asked.core, asked.caller.userId)
}

/**
 * Switches the app on, in place of one in use: the code proves that it has the secret and the right time. The start of
 * the setup has checked the app in use, or another second factor. The recovery codes stay; recoveries that wait for the
 * replaced app are deleted.
 */
export function confirmTotp(asked: Asked, code: string): Promise<Changed> {
  const { core, request, caller } = asked
  const { userId, sessionId } = caller
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const setup = await selectSetup(tx, userId, sessionId, now - limits.totpSetupTime)
    if (setup === undefined) throw new AppError('SETUP_EXPIRED')
    const step = stepOf(Buffer.from(core.secrets.openAtRest(setup.secret), 'base64url'), code, now)
    if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG')
    const isFirst = !(await hasSecondFactor(tx, userId))
    const isReplaced = (await selectApp(tx, userId)) !== undefined
    await finishSetup(tx, setup, step, now)
    const codes = await codesForFirst(tx, asked, isFirst)
    if (isReplaced) {
      await deleteProposals(tx, userId)
      tx.afterCommit(core.db.emptyLogSoon)
    }
    await recordChange(tx, asked, isReplaced ? 'totp_replaced' : 'totp_added', true)
    return changedState(tx, core, request, userId, codes)
  })
}
