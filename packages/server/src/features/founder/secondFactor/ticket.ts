import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { FounderProof } from '@privity/contract/founder/secondFactor'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'
import { newDevice, readDevice } from '../../session/device.ts'
import { countAttempt, resetAttempts, uncountAttempt } from '../../session/locks.ts'
import { lockKeyOf, recordFailure } from '../session/attempts.ts'
import { type NewFounderSession, startSession } from '../session/startSession.ts'
import { readVerifier, type Verifier } from '../session/verifier.ts'
import { hasFactor, useProof } from './proof.ts'
import { deleteTicket, insertTicket, selectTicket } from './queries.ts'

/** The password was right; there is no session before the second factor. */
export interface WaitingFounder {
  ticket: string
  /** Value of the device cookie: the ticket is valid in this browser only. */
  device: string
}

/** Issues a ticket if the founder has a second factor; it is valid for a few minutes and for one session. */
export async function askSecondFactor(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  verifier: Verifier,
): Promise<WaitingFounder | undefined> {
  if (!(await hasFactor(tx))) return undefined
  const now = core.clock.now()
  const ticket = randomBytes(32).toString('base64url')
  const device = readDevice(core, request) ?? newDevice()
  await insertTicket(tx, {
    token_hash: hashToken(ticket),
    device: hashToken(device),
    verifier_hash: hashToken(verifier.hash),
    expires_at: now + limits.secondFactorTime,
  })
  await audit(tx, { action: 'founder_second_factor_asked', actorId: 'founder', address: request.ip, at: now })
  return { ticket, device }
}

const isWrong = (error: unknown) => error instanceof AppError && error.code === 'SECOND_FACTOR_WRONG'

/** Completes a sign-in that waits for its second factor. A wrong code leaves the ticket valid for another try. */
export async function finishSignIn(
  core: Core,
  request: FastifyRequest,
  { ticket, ...proof }: FounderProof & { ticket: string },
): Promise<NewFounderSession> {
  const tokenHash = hashToken(ticket)
  const device = readDevice(core, request)
  const row = await selectTicket(core.db.read, tokenHash, core.clock.now())
  if (row === undefined || device === undefined || row.device !== hashToken(device))
    throw new AppError('TICKET_INVALID')
  const key = await lockKeyOf(core, request, core.config.founder.username)
  const { locks } = await countAttempt(core, key)
  try {
    return await core.db.write(async (tx) => {
      const method = await useProof(tx, core, proof, request.ip)
      const isCurrent = row.verifier_hash === hashToken((await readVerifier(tx)).hash)
      if ((await deleteTicket(tx, tokenHash)).changes === 0 || !isCurrent) throw new AppError('TICKET_INVALID')
      await resetAttempts(tx, key)
      const session = await startSession(tx, core, request)
      const details = { secondFactor: method }
      const at = core.clock.now()
      await audit(tx, { action: 'founder_signed_in', actorId: 'founder', address: request.ip, details, at })
      return session
    })
  } catch (error) {
    if (isWrong(error))
      await recordFailure(core, 'failed_founder_second_factor', { locks, account: key.account, address: request.ip })
    // The code was right, and the ticket has ended since.
    else await core.db.write((tx) => uncountAttempt(tx, key))
    throw error
  }
}
