import { randomBytes } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { SecondFactorState } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit.ts'
import type { Tx } from '../../core/db.ts'
import { type Asked, confirmed, type Confirmation, recordChange } from './confirm.ts'
import { hasSecondFactor } from './enabled.ts'
import { beginApp, confirmApp, forgetSetups, selectApp, selectAppBegun } from './queries.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import { changedState } from './state.ts'
import { secretBytes, stepOf, toBase32, uriOf } from './totp.ts'

export interface Changed {
  state: SecondFactorState
  recoveryCodes: string[] | undefined
}

async function refuseSecond(tx: Tx, userId: string): Promise<void> {
  if ((await selectApp(tx, userId)) !== undefined) throw new AppError('TOTP_ON')
}

/** A secret for an authenticator app. It means nothing before `confirmTotp`. */
export function startTotp(asked: Asked, given: Confirmation): Promise<{ secret: string; uri: string }> {
  const { core, caller } = asked
  const bytes = randomBytes(secretBytes)
  const secret = toBase32(bytes)
  return confirmed(asked, given, async (tx, user) => {
    await refuseSecond(tx, user.id)
    const now = core.clock.now()
    await beginApp(tx, user.id, core.secrets.sealAtRest(bytes.toString('base64url')), caller.sessionId, now)
    const { address } = caller
    await audit(tx, { action: 'totp_setup_started', actorId: user.id, targetId: user.id, address, at: now })
    return { secret, uri: uriOf(secret, 'Privity', user.username) }
  })
}

/**
 * The first factor of an account comes with recovery codes; another one leaves them as they are. What else was being
 * set up had to show the password alone, and would get round the factor that is on now.
 */
export async function codesForFirst(tx: Tx, asked: Asked, isFirst: boolean): Promise<string[] | undefined> {
  if (!isFirst) return undefined
  await forgetSetups(tx, asked.caller.userId)
  return createRecoveryCodes(tx, asked.core, asked.caller.userId)
}

/** Switches the app on: the code shows that it has the secret and the time. */
export function confirmTotp(asked: Asked, code: string): Promise<Changed> {
  const { core, request, caller } = asked
  const { userId, sessionId } = caller
  return core.db.write(async (tx) => {
    await refuseSecond(tx, userId)
    const now = core.clock.now()
    const begun = await selectAppBegun(tx, userId, sessionId, now - limits.totpSetupTime)
    if (begun === undefined) throw new AppError('SETUP_EXPIRED')
    const step = stepOf(Buffer.from(core.secrets.openAtRest(begun.secret), 'base64url'), code, now)
    if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG')
    const isFirst = !(await hasSecondFactor(tx, userId))
    await confirmApp(tx, userId, step, now)
    const codes = await codesForFirst(tx, asked, isFirst)
    await recordChange(tx, asked, 'totp_added', true)
    return changedState(tx, core, request, userId, codes)
  })
}
