import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'
import { checkPassword, resetAttempts, uncountAttempt } from '../../session/locks.ts'
import { askSecondFactor, type WaitingFounder } from '../secondFactor/ticket.ts'
import { lockKeyOf, recordFailure } from './attempts.ts'
import { type NewFounderSession, startSession } from './startSession.ts'
import { readVerifier, writeVerifier } from './verifier.ts'

const isEqual = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)))

/**
 * A wrong username takes the same path as the right one, including the cost of the password check and the lock, so that
 * neither response nor timing reveals which of the two was wrong.
 */
export async function signIn(
  core: Core,
  request: FastifyRequest,
  given: { username: string; password: string },
): Promise<NewFounderSession | WaitingFounder> {
  const username = given.username.normalize('NFKC')
  const key = await lockKeyOf(core, request, username)
  const verifier = await readVerifier(core.db.read)
  const { isRight, locks } = await checkPassword(core, key, given.password, verifier.hash)
  if (!isEqual(username, core.config.founder.username) || !isRight) {
    await recordFailure(core, 'failed_founder_sign_in', { locks, account: key.account, address: request.ip })
    throw new AppError('WRONG_CREDENTIALS')
  }
  const renewed = await core.passwords.renew(given.password, verifier.hash)
  const signedIn = await core.db.write(async (tx) => {
    // The password was changed while this one was being checked, or another sign-in has renewed its hash.
    if ((await readVerifier(tx)).hash !== verifier.hash) {
      await uncountAttempt(tx, key)
      return undefined
    }
    const proven = { ...verifier, hash: renewed ?? verifier.hash }
    if (renewed !== undefined) await writeVerifier(tx, proven)
    const waiting = await askSecondFactor(tx, core, request, proven)
    if (waiting !== undefined) {
      // Takes back only this attempt; otherwise anyone with the password could guess codes for ever.
      await uncountAttempt(tx, key)
      return waiting
    }
    await resetAttempts(tx, key)
    const session = await startSession(tx, core, request)
    await audit(tx, { action: 'founder_signed_in', actorId: 'founder', address: request.ip, at: core.clock.now() })
    return session
  })
  return signedIn ?? signIn(core, request, given)
}
