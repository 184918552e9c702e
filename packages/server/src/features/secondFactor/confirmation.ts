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
import { checkProven, provePassword } from '../session/passwordCheck.ts'
import { tellChange } from '../session/accountChangeNotice.ts'
import { hasSecondFactor } from './enrollment.ts'
import { withSecondFactor } from './proof.ts'
import { methodsIn, stateOf } from './state.ts'

/** A member's call, as the rules of this feature take it. */
export interface Asked {
  core: Core
  request: FastifyRequest
  caller: Caller
}

export type Confirmation = SecondFactorProof & { password: string }

export const sessionHolder = (sessionId: string, what: 'confirm' | 'add') => `${what} ${sessionId}`

/** The password was right; the second factor is checked next if one is on. */
export interface Confirming {
  /** The user who owns the password. */
  user: UserRow
  /** Runs `change` in the transaction that checks the second factor and uses it up. */
  run<T>(change: (tx: Tx, user: UserRow) => Promise<T>): Promise<T>
}

/**
 * Asks for the password, and for the second factor if one is on: with a session and the password, but without the
 * second factor, nobody can change who controls the account or replace the factor. The one rule for every such change.
 */
export async function confirming(asked: Asked, { password, ...proof }: Confirmation): Promise<Confirming> {
  const { core, request, caller } = asked
  const { userId, sessionId } = caller
  const user = await provePassword(core, request, caller, password)
  const needed = async () => {
    const methods = methodsIn(await stateOf(core.db.read, core, request, userId))
    return new AppError('SECOND_FACTOR_REQUIRED', { details: { methods } })
  }
  const isGiven = Object.values(proof).some((part) => part !== undefined)
  const isOn = await hasSecondFactor(core.db.read, userId)
  if (isOn && !isGiven) throw await needed()

  return {
    user,
    async run(change) {
      if (isOn) {
        const checking = { core, request, userId, holder: sessionHolder(sessionId, 'confirm') }
        return withSecondFactor(checking, proof, async (tx) => change(tx, await checkProven(tx, caller, user)))
      }
      const switchedOn = Symbol('on')
      const done = await core.db.write(async (tx) => {
        const current = await checkProven(tx, caller, user)
        // Switched on meanwhile, in another tab: then it is required.
        return (await hasSecondFactor(tx, userId)) ? switchedOn : change(tx, current)
      })
      if (done === switchedOn) throw await needed()
      return done as Exclude<typeof done, typeof switchedOn>
    },
  }
}

/** Like `confirming`, if nothing happens between the password check and the change. */
export async function confirmed<T>(
  asked: Asked,
  given: Confirmation,
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  return (await confirming(asked, given)).run(change)
}

/** Writes the audit entry and the security event, and notifies the owner, of a change to how they sign in. */
export async function recordChange(tx: Tx, asked: Asked, action: AccountChange, isOn: boolean): Promise<void> {
  const { core, caller } = asked
  const at = core.clock.now()
  const { userId, address } = caller
  await tellChange(tx, asked, action)
  await audit(tx, { action, actorId: userId, targetId: userId, address, details: { on: isOn }, at })
  await recordSecurityEvent(tx, { type: action, severity: isOn ? 'low' : 'medium', at, userId, address })
}
