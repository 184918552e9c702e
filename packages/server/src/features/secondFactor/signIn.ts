import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { PasskeyRequest, SecondFactorProof } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { applyRecovery, notifyRecovered } from '../recovery/applyRecovery.ts'
import { requireAvailable, type SignedIn } from '../session/signIn.ts'
import { startSession } from '../session/startSession.ts'
import { getUser, toUser } from '../session/users.ts'
import { requestOptions } from './passkeyOptions.ts'
import { withSecondFactor } from './proof.ts'
import { readPendingPassword, isRecoveryKeyCurrent } from './pendingPassword.ts'
import { countRecoveryCodes, deleteTicket, type TicketRow } from './queries.ts'
import { readTicket } from './ticket.ts'

const holderOf = ({ token_hash }: TicketRow) => `ticket ${token_hash}`

/**
 * The user who signs in. A change since then of the password, of the recovery key used, or of the account's
 * availability ends the sign-in.
 */
async function userOf(db: Reader, ticket: TicketRow): Promise<UserRow> {
  const user = await getUser(db, ticket.user_id)
  if (hashToken(user.password_hash) !== ticket.password_hash || !isRecoveryKeyCurrent(ticket, user))
    throw new AppError('TICKET_INVALID')
  requireAvailable(user)
  return user
}

/** Creates a challenge for a passkey of the account that the ticket names. */
export async function requestSignInPasskey(
  core: Core,
  request: FastifyRequest,
  ticket: string,
): Promise<PasskeyRequest> {
  const row = await readTicket(core.db.read, core, request, ticket)
  await userOf(core.db.read, row)
  return requestOptions(core, request, row.user_id, holderOf(row))
}

/**
 * Starts the session after the password or the recovery key was right; a pending password takes effect. A wrong proof
 * leaves the ticket valid for another try.
 */
export async function finishSignIn(
  core: Core,
  request: FastifyRequest,
  { ticket, sharedComputer, ...proof }: SecondFactorProof & { ticket: string; sharedComputer: boolean },
): Promise<SignedIn> {
  const row = await readTicket(core.db.read, core, request, ticket)
  const { id: userId } = await userOf(core.db.read, row)
  const attempt = { core, request, userId, holder: holderOf(row) }
  return withSecondFactor(attempt, proof, async (tx, method) => {
    if ((await deleteTicket(tx, row.token_hash)).changes === 0) throw new AppError('TICKET_INVALID')
    await userOf(tx, row)
    const at = core.clock.now()
    const address = request.ip
    const pendingPassword = readPendingPassword(core, row)
    if (pendingPassword !== undefined) await applyRecovery(tx, core, request, userId, pendingPassword)
    const session = await startSession(tx, core, request, userId, { sharedComputer })
    if (pendingPassword !== undefined) await notifyRecovered(tx, core, request, userId, session)
    await audit(tx, { action: 'signed_in', actorId: userId, address, details: { secondFactor: method }, at })
    if (method === 'recoveryCode') {
      const description = `${await countRecoveryCodes(tx, userId)} left`
      await recordSecurityEvent(tx, { type: 'recovery_code_used', severity: 'low', description, at, userId, address })
    }
    return { user: toUser(await getUser(tx, userId)), session }
  })
}
