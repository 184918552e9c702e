import { AppError } from '@privity/contract/errors'
import type { AccountChange } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { inForce, policyOf } from '../preferences/preferences.ts'
import { type MemberCall, runConfirmed, type Confirmation, recordChange } from './confirmation.ts'
import { hasSecondFactor } from './enrollment.ts'
import {
  deleteApp,
  deletePasskey,
  deletePasskeys,
  deletePendingPasswords,
  deleteRecoveryCodes,
  deleteTickets,
  deleteSetups,
} from './queries.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import { changedState } from './state.ts'
import type { ChangedState } from './totpSetup.ts'

/** Deletes what is left of two-factor authentication once there is no factor any more. */
async function deleteRemainder(tx: Tx, { db }: Pick<Core, 'db'>, userId: string): Promise<void> {
  await deleteApp(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await deleteTickets(tx, userId)
  tx.afterCommit(db.emptyLogSoon)
}

/** Removes every factor without the owner's proof: the caller checks that this is allowed and that there is one. */
export async function removeSecondFactor(tx: Tx, core: Pick<Core, 'db'>, userId: string): Promise<void> {
  await deletePasskeys(tx, userId)
  await deleteSetups(tx, userId)
  await deleteRemainder(tx, core, userId)
}

/**
 * Completes the removal of a factor. If it was the last, deletes the rest of two-factor authentication, or throws
 * SECOND_FACTOR_KEPT if the organization requires a factor.
 */
async function finishRemoval(tx: Tx, call: MemberCall, action: AccountChange): Promise<ChangedState> {
  const { core, request, caller } = call
  const isOn = await hasSecondFactor(tx, caller.userId)
  if (!isOn) {
    if (inForce(await policyOf(tx, caller.userId), core.clock.now()).twoFactor) throw new AppError('SECOND_FACTOR_KEPT')
    await deleteRemainder(tx, core, caller.userId)
  }
  // Setups and recoveries under way were started when the account had another protection.
  await deleteSetups(tx, caller.userId)
  await deletePendingPasswords(tx, caller.userId)
  await recordChange(tx, call, action, isOn)
  tx.afterCommit(core.db.emptyLogSoon)
  return changedState(tx, core, request, caller.userId)
}

/** Throws SECOND_FACTOR_OFF if the user has no second factor. */
export async function requireSecondFactor(tx: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) throw new AppError('SECOND_FACTOR_OFF')
}

export function removePasskey(call: MemberCall, id: string, confirmation: Confirmation): Promise<ChangedState> {
  return runConfirmed(call, confirmation, async (tx, user) => {
    const { changes } = await deletePasskey(tx, user.id, id)
    if (changes === 0) throw new AppError('PASSKEY_NOT_FOUND')
    return finishRemoval(tx, call, 'passkey_removed')
  })
}

/** Removes the authenticator app, or every factor. */
export function removeFactors(
  call: MemberCall,
  target: 'totp' | 'everything',
  confirmation: Confirmation,
): Promise<ChangedState> {
  return runConfirmed(call, confirmation, async (tx, user) => {
    await requireSecondFactor(tx, user.id)
    await deleteApp(tx, user.id)
    if (target === 'everything') await deletePasskeys(tx, user.id)
    return finishRemoval(tx, call, target === 'totp' ? 'totp_removed' : 'second_factor_switched_off')
  })
}

export function renewRecoveryCodes(call: MemberCall, confirmation: Confirmation): Promise<ChangedState> {
  const { core, request } = call
  return runConfirmed(call, confirmation, async (tx, user) => {
    await requireSecondFactor(tx, user.id)
    const codes = await createRecoveryCodes(tx, core, user.id)
    await recordChange(tx, call, 'recovery_codes_renewed', true)
    return changedState(tx, core, request, user.id, codes)
  })
}
