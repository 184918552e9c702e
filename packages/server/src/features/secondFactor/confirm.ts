import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import type { Caller } from '../../core/guards.ts'
import type { UserRow } from '../../core/schema.ts'
import { recordSecurityEvent } from '../../core/securityEvents.ts'
import { checkProven, provePassword } from '../session/provePassword.ts'
import { hasSecondFactor } from './enabled.ts'
import { withSecondFactor } from './proof.ts'
import { methodsIn, stateOf } from './state.ts'

/** A call of a member, as the rules of this feature get it. */
export interface Asked {
  core: Core
  request: FastifyRequest
  caller: Caller
}

export type Confirmation = SecondFactorProof & { password: string }

export const sessionHolder = (sessionId: string, what: 'confirm' | 'add') => `${what} ${sessionId}`

/**
 * Runs `change` after the password, and after the second factor where one is on: who holds a session and the
 * password, but not the second factor, cannot exchange it for one of his own. One transaction with its proof.
 */
export async function confirmed<T>(
  asked: Asked,
  { password, ...proof }: Confirmation,
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { core, request, caller } = asked
  const { userId, sessionId } = caller
  const proven = await provePassword(core, request, caller, password)
  const needed = async () => {
    const methods = methodsIn(await stateOf(core.db.read, core, request, userId))
    return new AppError('SECOND_FACTOR_REQUIRED', { details: { methods } })
  }
  const isGiven = Object.values(proof).some((part) => part !== undefined)
  if (await hasSecondFactor(core.db.read, userId)) {
    if (!isGiven) throw await needed()
    const checking = { core, request, userId, holder: sessionHolder(sessionId, 'confirm') }
    return withSecondFactor(checking, proof, async (tx) => change(tx, await checkProven(tx, caller, proven)))
  }
  const isOn = Symbol('on')
  const done = await core.db.write(async (tx) => {
    const user = await checkProven(tx, caller, proven)
    // Switched on since, in another tab: then it is asked for.
    return (await hasSecondFactor(tx, userId)) ? isOn : change(tx, user)
  })
  if (done === isOn) throw await needed()
  return done as T
}

/** The entry and, for the monitoring rules, the event of a change to how somebody signs in. */
export async function recordChange(tx: Tx, { core, caller }: Asked, action: string, isOn: boolean): Promise<void> {
  const at = core.clock.now()
  const { userId, address } = caller
  await audit(tx, { action, actorId: userId, targetId: userId, address, details: { on: isOn }, at })
  await recordSecurityEvent(tx, { type: action, severity: isOn ? 'low' : 'medium', at, userId, address })
}
