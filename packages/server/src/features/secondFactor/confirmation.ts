import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { AccountChange } from '@privity/contract/notifications'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { checkStillProven, provePassword } from '../session/passwordCheck.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import { hasSecondFactor } from './enrollment.ts'
import { withSecondFactor } from './proof.ts'
import { methodsIn, stateOf } from './state.ts'

/** A member's call, with what the checks of password and second factor need. */
export interface MemberCall {
  core: Core
  request: FastifyRequest
  caller: Caller
}

export type Confirmation = SecondFactorProof & { password: string }

/** The holder of a passkey challenge that is valid in one session and for one purpose. */
export const sessionHolder = (sessionId: string, purpose: 'confirm' | 'add') => `${purpose} ${sessionId}`

/** A right password; the second factor is checked with the change if one is on. */
export interface ConfirmedChange {
  user: UserRow
  /** Runs `change` in the transaction that checks the second factor and uses it up. */
  run<T>(change: (tx: Tx, user: UserRow) => Promise<T>): Promise<T>
}

/**
 * The one rule for every change of who controls an account: it needs the password, and the second factor if one is on.
 * A session and the password alone cannot replace the second factor.
 */
export async function checkConfirmation(
  call: MemberCall,
  { password, ...proof }: Confirmation,
): Promise<ConfirmedChange> {
  const { core, request, caller } = call
  const { userId, sessionId } = caller
  const user = await provePassword(core, request, caller, password)
  const secondFactorRequired = async () => {
    const methods = methodsIn(await stateOf(core.db.read, core, request, userId))
    return new AppError('SECOND_FACTOR_REQUIRED', { details: { methods } })
  }
  const hasProof = Object.values(proof).some((part) => part !== undefined)
  const isOn = await hasSecondFactor(core.db.read, userId)
  if (isOn && !hasProof) throw await secondFactorRequired()

  return {
    user,
    async run(change) {
      if (isOn) {
        const attempt = { core, request, userId, holder: sessionHolder(sessionId, 'confirm') }
        return withSecondFactor(attempt, proof, async (tx) => change(tx, await checkStillProven(tx, caller, user)))
      }
      const switchedOn = Symbol('second factor switched on')
      const result = await core.db.write(async (tx) => {
        const current = await checkStillProven(tx, caller, user)
        // Another tab may have switched it on since the password check.
        return (await hasSecondFactor(tx, userId)) ? switchedOn : change(tx, current)
      })
      if (result === switchedOn) throw await secondFactorRequired()
      return result as Exclude<typeof result, typeof switchedOn>
    },
  }
}

/** Like `checkConfirmation`, if nothing happens between the password check and the change. */
export async function runConfirmed<T>(
  call: MemberCall,
  confirmation: Confirmation,
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  return (await checkConfirmation(call, confirmation)).run(change)
}

/** Writes the audit entry and the security event, and notifies the owner, of a change to how they sign in. */
export async function recordChange(tx: Tx, call: MemberCall, action: AccountChange, isOn: boolean): Promise<void> {
  const { core, caller } = call
  const at = core.clock.now()
  const { userId, address } = caller
  await notifyAccountChange(tx, call, action)
  await audit(tx, { action, actorId: userId, targetId: userId, address, details: { on: isOn }, at })
  await recordSecurityEvent(tx, { type: action, severity: isOn ? 'low' : 'medium', at, userId, address })
}
