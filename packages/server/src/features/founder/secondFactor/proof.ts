import { AppError } from '@privity/contract/errors'
import type { FounderFactorState, FounderProof } from '@privity/contract/founder/secondFactor'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { FounderSessionRow } from '../../../core/database/tables/founder.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { recordSecurityEvent } from '../../../core/audit/securityEvents.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../../secondFactor/recoveryCodes.ts'
import { isUnused, findStep, maxStoredSteps } from '../../secondFactor/totp.ts'
import { countCodes, deleteCode, deleteCodes, insertCode, selectApp, selectUsedSteps, useStep } from './queries.ts'

export async function stateOf(db: Reader): Promise<FounderFactorState> {
  return { since: (await selectApp(db))?.confirmed_at ?? null, recoveryCodesLeft: await countCodes(db) }
}

export const hasFactor = async (db: Reader): Promise<boolean> => (await selectApp(db)) !== undefined

export const secretOf = ({ secrets }: Core, sealed: string) => Buffer.from(secrets.decryptAtRest(sealed), 'base64url')

async function useCode(tx: Tx, core: Core, code: string): Promise<boolean> {
  const app = await selectApp(tx)
  if (app === undefined) return false
  const now = core.clock.now()
  const step = findStep(secretOf(core, app.secret), code, now)
  if (step === undefined || !isUnused(step, await selectUsedSteps(tx), now)) return false
  await useStep(tx, step, maxStoredSteps)
  return true
}

/** Uses up a code of either kind; each is valid once. Throws SECOND_FACTOR_WRONG. Returns the kind. */
export async function useProof(
  tx: Tx,
  core: Core,
  { code, recoveryCode }: FounderProof,
  address: string,
): Promise<'totp' | 'recoveryCode'> {
  if (code !== undefined && (await useCode(tx, core, code))) return 'totp'
  if (
    recoveryCode === undefined ||
    (await deleteCode(tx, hashRecoveryCode(core, 'founder', recoveryCode))).changes === 0
  )
    throw new AppError('SECOND_FACTOR_WRONG')
  const description = `${await countCodes(tx)} left`
  const at = core.clock.now()
  await recordSecurityEvent(tx, { type: 'founder_recovery_code_used', severity: 'medium', description, at, address })
  return 'recoveryCode'
}

/** Replaces all recovery codes; only their hashes are stored. */
export async function renewCodes(tx: Tx, core: Core): Promise<string[]> {
  await deleteCodes(tx)
  const codes = newRecoveryCodes()
  for (const code of codes) await insertCode(tx, hashRecoveryCode(core, 'founder', code))
  tx.afterCommit(core.db.emptyLogSoon)
  return codes
}

/**
 * Throws CONFIRMATION_NEEDED unless this session was confirmed recently; use does not extend the confirmation. Called
 * last in the transaction that it guards.
 */
export async function requireConfirmed(
  tx: Tx,
  { clock }: Pick<Core, 'clock'>,
  { sessionId, tokenHash }: Pick<Founder, 'sessionId' | 'tokenHash'>,
): Promise<void> {
  const session = await tx.get<Pick<FounderSessionRow, 'confirmed_at' | 'token_hash'>>(
    'select confirmed_at, token_hash from founder_sessions where id = ?',
    [sessionId],
  )
  if (session === undefined) throw new AppError('NOT_FOUNDER')
  const isConfirmed = session.confirmed_at !== null && session.token_hash === tokenHash
  const age = isConfirmed ? clock.now() - (session.confirmed_at ?? 0) : Infinity
  // A clock that was set back invalidates the confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
