import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { SecondFactorNeeded } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { newDevice, readDevice } from '../session/device.ts'
import { hasSecondFactor } from './enrollment.ts'
import { storePendingPassword, type PendingPassword } from './pendingPassword.ts'
import { deleteExpired, insertTicket, selectTicket, type TicketRow } from './queries.ts'
import { methodsIn, stateOf } from './state.ts'

/** A sign-in whose password was right: the session starts with the second factor. */
export interface AwaitingSecondFactor {
  needed: SecondFactorNeeded
  /** Value of the device cookie: the ticket is valid in this browser only. */
  device: string
}

/**
 * Issues a ticket if the account has a second factor. It is bound to account, browser and password, and valid for a few
 * minutes and for one session. A pending password takes effect with that session.
 */
export async function issueTicket(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  user: UserRow,
  pendingPassword?: PendingPassword,
): Promise<AwaitingSecondFactor | undefined> {
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
  if (pendingPassword !== undefined) await storePendingPassword(tx, core, tokenHash, user, pendingPassword)
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

const deleteExpiredTickets = ({ db, clock }: Core) =>
  db.write(async (tx) => {
    if (await deleteExpired(tx, clock.now(), clock.now() - limits.totpSetupTime)) tx.afterCommit(db.emptyLogSoon)
  })

export const secondFactorJobs: Job[] = [
  { name: 'forget tickets and challenges', every: 60_000, run: deleteExpiredTickets },
]
