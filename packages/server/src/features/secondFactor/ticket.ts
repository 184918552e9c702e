import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { SecondFactorNeeded } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { newDevice, readDevice } from '../session/device.ts'
import { hasSecondFactor } from './enrollment.ts'
import { keepProposal, type ProposedPassword } from './pendingPassword.ts'
import { insertTicket, selectTicket, type TicketRow } from './queries.ts'
import { methodsIn, stateOf } from './state.ts'

/** The password was right; there is no session before the second factor. */
export interface Waiting {
  needed: SecondFactorNeeded
  /** Value of the device cookie: the ticket is valid in this browser only. */
  device: string
}

/**
 * Issues a ticket if the account has a second factor. It is bound to account, browser and password, and valid for a few
 * minutes and for one session. A `proposed` password waits with it, and takes effect with that session.
 */
export async function askSecondFactor(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  user: UserRow,
  proposed?: ProposedPassword,
): Promise<Waiting | undefined> {
  if (!(await hasSecondFactor(tx, user.id))) return undefined
  const now = core.clock.now()
  const ticket = randomBytes(32).toString('base64url')
  const device = readDevice(core, request) ?? newDevice()
  const tokenHash = hashToken(ticket)
  await insertTicket(tx, {
    token_hash: tokenHash,
    user_id: user.id,
    device: hashToken(device),
    password_hash: hashToken(user.password_hash),
    expires_at: now + limits.secondFactorTime,
  })
  if (proposed !== undefined) await keepProposal(tx, core, tokenHash, user, proposed)
  const state = await stateOf(tx, core, request, user.id)
  await audit(tx, { action: 'second_factor_asked', actorId: user.id, address: request.ip, at: now })
  const passkeysElsewhere = state.passkeys.length > 0 && !state.passkeys.some(({ usable }) => usable)
  return { needed: { methods: methodsIn(state), ticket, passkeysElsewhere }, device }
}

/** Returns the ticket if it is valid in this browser now; throws TICKET_INVALID. */
export async function readTicket(db: Reader, core: Core, request: FastifyRequest, ticket: string): Promise<TicketRow> {
  const device = readDevice(core, request)
  const row = await selectTicket(db, hashToken(ticket), core.clock.now())
  if (row === undefined || device === undefined || row.device !== hashToken(device))
    throw new AppError('TICKET_INVALID')
  return row
}
