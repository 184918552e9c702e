import type { BlockedPerson, Connection } from '@privity/contract/connections'
import type { ConnectionRequest, ConnectionRequests } from '@privity/contract/directory'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { auditCall } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { ConnectionRequestRow } from '../../../core/database/tables/connections.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { newId } from '../../../core/ids.ts'
import { addNotification } from '../../notifications/notifications.ts'
import { addBlock } from '../blocks.ts'
import { connect } from '../connect.ts'
import { hasBlocked, inPairOrder, type ParticipantRow, selectPair, selectParticipant } from '../queries.ts'
import { requireColleague, requireDirectory } from './access.ts'
import { declineRequest, notifyRequestsChanged, withdrawRequest } from './endRequests.ts'
import {
  type NamedRequest,
  putRequest,
  selectOpen,
  selectReceived,
  selectRequest,
  selectSent,
  selectWithdrawable,
} from './queries.ts'

const toRequest = (row: NamedRequest, otherId: string): ConnectionRequest => ({
  id: row.id,
  who: { id: otherId, firstName: row.first_name, lastName: row.last_name },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

/** Empty without a directory. */
export async function listRequests({ db, clock }: Core, userId: string): Promise<ConnectionRequests> {
  const organizationId = await requireDirectory(db.read, userId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'DIRECTORY_OFF') return undefined
    throw error
  })
  if (organizationId === undefined) return { received: [], sent: [] }
  const now = clock.now()
  const received = await selectReceived(db.read, organizationId, userId, now)
  const sent = await selectSent(db.read, userId, now)
  return {
    received: received.map((row) => toRequest(row, row.from_id)),
    sent: sent.map((row) => toRequest(row, row.to_id)),
  }
}

/** Throws if the caller has asked this person already, has just done so, or has too many open requests. */
async function checkRepetition(tx: Tx, userId: string, own: ConnectionRequestRow | undefined, now: number) {
  if (own !== undefined && own.expires_at + limits.connectionRequestsApart > now)
    throw new AppError(
      own.state !== 'withdrawn' && own.expires_at > now ? 'CONNECTION_REQUEST_OPEN' : 'CONNECTION_REQUEST_REPEATED',
    )
  if ((await selectSent(tx, userId, now)).length >= limits.openConnectionRequests)
    throw new AppError('CONNECTION_REQUESTS_FULL')
}

async function acceptRequest(core: Core, tx: Tx, caller: Caller, colleague: ParticipantRow): Promise<Connection> {
  const at = core.clock.now()
  await auditCall(tx, caller, { action: 'connection_request_accepted', targetId: colleague.id, at })
  return connect(core, tx, caller, colleague)
}

/**
 * Asks a colleague to connect. If the colleague has asked too, the two are connected at once, even if the caller had
 * declined. A request to a person who has blocked the caller is stored as declined, so that nothing reveals the block.
 */
export function requestConnection(
  core: Core,
  caller: Caller,
  colleagueId: string,
): Promise<{ connection?: Connection }> {
  return core.db.write(async (tx) => {
    const { userId } = caller
    const now = core.clock.now()
    const colleague = await requireColleague(tx, userId, colleagueId)
    if (await hasBlocked(tx, userId, colleagueId)) throw new AppError('PERSON_BLOCKED')
    if ((await selectPair(tx, ...inPairOrder(userId, colleagueId))) !== undefined)
      throw new AppError('ALREADY_CONNECTED')
    const theirs = await selectRequest(tx, colleagueId, userId)
    if (theirs !== undefined && theirs.state !== 'withdrawn' && theirs.expires_at > now)
      return { connection: await acceptRequest(core, tx, caller, colleague) }
    await checkRepetition(tx, userId, await selectRequest(tx, userId, colleagueId), now)
    const isBlocked = await hasBlocked(tx, colleagueId, userId)
    const expiresAt = now + limits.connectionRequestKept
    await putRequest(tx, {
      id: newId(now),
      from_id: userId,
      to_id: colleagueId,
      state: isBlocked ? 'declined' : 'open',
      created_at: now,
      expires_at: expiresAt,
    })
    await auditCall(tx, caller, { action: 'connection_requested', targetId: colleagueId, at: now })
    notifyRequestsChanged(tx, core, isBlocked ? userId : [userId, colleagueId])
    if (!isBlocked) {
      const content = { kind: 'connection_requested', peerId: userId, requestExpiresAt: expiresAt } as const
      await addNotification(tx, core, colleagueId, content)
    }
    return {}
  })
}

/** Connects with the sender of a request, by the same function as a code. */
export function acceptConnectionRequest(core: Core, caller: Caller, id: string): Promise<Connection> {
  return core.db.write(async (tx) => {
    const request = await selectOpen(tx, id, caller.userId, core.clock.now())
    if (request === undefined) throw new AppError('CONNECTION_REQUEST_NOT_FOUND')
    return acceptRequest(core, tx, caller, await requireColleague(tx, caller.userId, request.from_id))
  })
}

/** The audit entry does not name the sender: an administrator who reads it may be the one who was declined. */
export function declineConnectionRequest(core: Core, caller: Caller, id: string): Promise<void> {
  return core.db.write(async (tx) => {
    const at = core.clock.now()
    const request = await selectOpen(tx, id, caller.userId, at)
    if (request === undefined) throw new AppError('CONNECTION_REQUEST_NOT_FOUND')
    await declineRequest(tx, core, request)
    await auditCall(tx, caller, { action: 'connection_request_declined', at })
  })
}

/** Declines and blocks. The audit entry is that of declining alone, so that readers of the log learn of no block. */
export function blockRequester(core: Core, caller: Caller, id: string): Promise<BlockedPerson> {
  return core.db.write(async (tx) => {
    const at = core.clock.now()
    const request = await selectOpen(tx, id, caller.userId, at)
    const sender = request && (await selectParticipant(tx, request.from_id))
    if (sender === undefined) throw new AppError('CONNECTION_REQUEST_NOT_FOUND')
    await auditCall(tx, caller, { action: 'connection_request_declined', at })
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
    return addBlock(tx, core, caller.userId, sender.id, sender)
  })
}

export function withdrawConnectionRequest(core: Core, caller: Caller, id: string): Promise<void> {
  return core.db.write(async (tx) => {
    const at = core.clock.now()
    const request = await selectWithdrawable(tx, id, caller.userId, at)
    if (request === undefined) throw new AppError('CONNECTION_REQUEST_NOT_FOUND')
    await withdrawRequest(tx, core, request)
    await auditCall(tx, caller, { action: 'connection_request_withdrawn', targetId: request.to_id, at })
  })
}
