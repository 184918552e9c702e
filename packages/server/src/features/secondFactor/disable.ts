import { AppError } from '@privity/contract/errors'
import type { AccountChange } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { inForce, policyOf } from '../preferences/preferences.ts'
import { type Asked, confirmed, type Confirmation, recordChange } from './confirmation.ts'
import { hasSecondFactor } from './enrollment.ts'
import {
  deleteApp,
  deletePasskey,
  deletePasskeys,
  deleteProposals,
  deleteRecoveryCodes,
  deleteTickets,
  forgetSetups,
} from './queries.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import { changedState } from './state.ts'
import type { Changed } from './totpSetup.ts'

/** Deletes the rest of two-factor authentication when there is no factor any more. */
async function forgetRest(tx: Tx, { db }: Pick<Core, 'db'>, userId: string): Promise<void> {
  await deleteApp(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await deleteTickets(tx, userId)
  tx.afterCommit(db.emptyLogSoon)
}

/** Removes everything without asking its owner: the caller checks that this is allowed and that there is a factor. */
export async function removeEverything(tx: Tx, core: Pick<Core, 'db'>, userId: string): Promise<void> {
  await deletePasskeys(tx, userId)
  await forgetSetups(tx, userId)
  await forgetRest(tx, core, userId)
}

/**
 * Completes a removal. Without a factor, nothing of two-factor authentication is left; if the organization requires a
 * factor, throws SECOND_FACTOR_KEPT.
 */
async function settle(tx: Tx, asked: Asked, action: AccountChange): Promise<Changed> {
  const { core, request, caller } = asked
  const isOn = await hasSecondFactor(tx, caller.userId)
  if (!isOn) {
    if (inForce(await policyOf(tx, caller.userId), core.clock.now()).twoFactor) throw new AppError('SECOND_FACTOR_KEPT')
    await forgetRest(tx, core, caller.userId)
  }
  // Ends setups and recoveries under way: they were started when the account had another protection.
  await forgetSetups(tx, caller.userId)
  await deleteProposals(tx, caller.userId)
  await recordChange(tx, asked, action, isOn)
  tx.afterCommit(core.db.emptyLogSoon)
  return changedState(tx, core, request, caller.userId)
}

/** Throws SECOND_FACTOR_OFF if the user has no second factor. */
export async function requireOn(tx: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) throw new AppError('SECOND_FACTOR_OFF')
}

export function removePasskey(asked: Asked, id: string, given: Confirmation): Promise<Changed> {
  return confirmed(asked, given, async (tx, user) => {
    const { changes } = await deletePasskey(tx, user.id, id)
    if (changes === 0) throw new AppError('PASSKEY_NOT_FOUND')
    return settle(tx, asked, 'passkey_removed')
  })
}

/** Removes the authenticator app, or every factor. */
export function removeFactors(asked: Asked, what: 'totp' | 'everything', given: Confirmation): Promise<Changed> {
  return confirmed(asked, given, async (tx, user) => {
    await requireOn(tx, user.id)
    await deleteApp(tx, user.id)
    if (what === 'everything') await deletePasskeys(tx, user.id)
    return settle(tx, asked, what === 'totp' ? 'totp_removed' : 'second_factor_switched_off')
  })
}

export function renewRecoveryCodes(asked: Asked, given: Confirmation): Promise<Changed> {
  const { core, request } = asked
  return confirmed(asked, given, async (tx, user) => {
    await requireOn(tx, user.id)
    const codes = await createRecoveryCodes(tx, core, user.id)
    await recordChange(tx, asked, 'recovery_codes_renewed', true)
    return changedState(tx, core, request, user.id, codes)
  })
}
