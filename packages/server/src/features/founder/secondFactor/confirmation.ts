import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { FounderProof } from '@privity/contract/founder/secondFactor'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { checkPassword, resetAttempts, uncountAttempt } from '../../session/locks.ts'
import { lockKeyOf, recordFailure } from '../session/attempts.ts'
import { readVerifier } from '../session/verifier.ts'
import { hasFactor, useProof } from './proof.ts'
import { audit } from '../../../core/audit/audit.ts'

/** The founder and the request by which they change how the console is protected. */
export interface FounderRequest {
  core: Core
  request: FastifyRequest
  founder: Founder
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : undefined)

/** Throws if the session has ended since the call began. */
export async function checkSession(tx: Tx, { sessionId }: Founder): Promise<void> {
  if ((await tx.get('select 1 from founder_sessions where id = ?', [sessionId])) === undefined)
    throw new AppError('NOT_FOUNDER')
}

/**
 * Asks for the password again, and for the second factor if there is one, before `change` runs in the same transaction.
 * Failures count with the failed sign-ins of the same browser: a stolen session gives no additional guesses.
 */
export async function runConfirmed<T>(
  founderRequest: FounderRequest,
  given: FounderProof & { password: string },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { core, request, founder } = founderRequest
  const { address } = founder
  const key = await lockKeyOf(core, request, core.config.founder.username)
  const verifier = await readVerifier(core.db.read)
  const { isRight, locks } = await checkPassword(core, key, given.password, verifier.hash)
  if (!isRight) {
    await recordFailure(core, 'failed_founder_password_check', { locks, account: key.account, address })
    throw new AppError('WRONG_PASSWORD')
  }
  let changed: { result: T } | undefined
  try {
    changed = await core.db.write(async (tx) => {
      await checkSession(tx, founder)
      if ((await readVerifier(tx)).hash !== verifier.hash) {
        await uncountAttempt(tx, key)
        return undefined
      }
      if (await hasFactor(tx)) {
        if (given.code === undefined && given.recoveryCode === undefined) throw new AppError('SECOND_FACTOR_REQUIRED')
        await useProof(tx, core, given, address)
      }
      await resetAttempts(tx, key)
      return { result: await change(tx) }
    })
  } catch (error) {
    if (codeOf(error) === 'SECOND_FACTOR_WRONG')
      await recordFailure(core, 'failed_founder_second_factor', { locks, account: key.account, address })
    // The password was right, so nothing was guessed.
    else await core.db.write((tx) => uncountAttempt(tx, key))
    throw error
  }
  if (changed !== undefined) return changed.result
  // A sign-in has renewed the hash while this one was being checked, or the password was changed: it was no guess.
  const { hash } = await readVerifier(core.db.read)
  if (!(await core.passwords.verify(given.password, hash))) throw new AppError('WRONG_PASSWORD')
  return runConfirmed(founderRequest, given, change)
}

/** Marks only this session as confirmed and renews its token, as for members. */
export function confirmSession(
  founderRequest: FounderRequest,
  given: FounderProof & { password: string },
): Promise<{ confirmedUntil: number; token: string | undefined }> {
  const { core, founder } = founderRequest
  return runConfirmed(founderRequest, given, async (tx) => {
    const at = core.clock.now()
    await tx.run('update founder_sessions set confirmed_at = ? where id = ?', [at, founder.sessionId])
    await audit(tx, { action: 'session_confirmed', actorId: 'founder', address: founder.address, at })
    return { confirmedUntil: at + limits.confirmationTime, token: await core.founderSessions.renew(tx, founder) }
  })
}
