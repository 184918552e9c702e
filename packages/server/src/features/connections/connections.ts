import type { BlockedPerson, Connection, ConnectionStatistics, Participant } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { deleteConnectionNotifications } from '../notifications/notifications.ts'
import { destroyConnectionData } from '../retention/retention.ts'
import { addBlock } from './blocks.ts'
import { addFormerContacts } from './formerContacts.ts'
import { lifetimeOf } from './lifetime.ts'
import { requireMembership } from './membership.ts'
import {
  countMessages,
  deleteConnection,
  deleteFormerContact,
  type ParticipantRow,
  selectConnections,
  selectLastMessageTimes,
  selectParticipant,
  selectParticipants,
} from './queries.ts'
import { type VisibleParts, loadVisibility } from './visibility.ts'

export const isAvailable = (user: { is_active: number; suspended: number }): boolean =>
  user.is_active === 1 && user.suspended === 0

/** A user as another member sees them, or as they see themselves. */
export function toParticipant({ sockets }: Core, row: ParticipantRow, visible: VisibleParts): Participant {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    available: isAvailable(row),
    online: visible.online && sockets.isOnline(row.id),
    ...(visible.profile && { username: row.username, email: row.email }),
  }
}

/** `visibleParts` returns the parts of a user that the viewer may see. */
export function toConnection(
  core: Core,
  row: ConnectionRow,
  [user1, user2]: readonly [ParticipantRow, ParticipantRow],
  visibleParts: (userId: string) => VisibleParts,
  lastMessageAt?: number,
): Connection {
  return {
    id: row.id,
    userId1: row.user_id_1,
    userId2: row.user_id_2,
    user1: toParticipant(core, user1, visibleParts(user1.id)),
    user2: toParticipant(core, user2, visibleParts(user2.id)),
    status: row.status,
    connectedAt: row.connected_at,
    lifetime: lifetimeOf(row, core.config.retention),
    lastSeq: row.last_seq,
    ...(lastMessageAt !== undefined && { lastMessageAt }),
  }
}

export async function listConnections(core: Core, userId: string): Promise<Connection[]> {
  const rows = await selectConnections(core.db.read, [userId])
  const userIds = [...new Set(rows.flatMap((row) => [row.user_id_1, row.user_id_2]))]
  const participants = await selectParticipants(core.db.read, userIds)
  const lastMessages = await selectLastMessageTimes(core.db.read, userId, core.clock.now())
  const visibleParts = await loadVisibility(core.db.read, userIds)
  return rows.flatMap((row) => {
    const [user1, user2] = [participants.get(row.user_id_1), participants.get(row.user_id_2)]
    if (user1 === undefined || user2 === undefined) return []
    return [
      toConnection(core, row, [user1, user2], (memberId) => visibleParts(memberId, userId), lastMessages.get(row.id)),
    ]
  })
}

/** The end of a connection of `userId`; `actorId` is its author, by default the user themselves. */
export interface Ending {
  userId: string
  actorId?: string | null
  address: string | undefined
}

/**
 * Ends a connection for both participants: unreachable once this transaction is durable. Both get the same notice and
 * the same audit entry, whatever the reason. Call `destroyEndedConnection` afterwards.
 */
export async function endConnection(core: Core, tx: Tx, ending: Ending, id: string): Promise<{ contactId: string }> {
  const { userId, actorId = userId, address } = ending
  const { contactId } = await requireMembership(tx, id, userId)
  const now = core.clock.now()
  await deleteConnection(tx, id, now)
  await deleteConnectionNotifications(tx, core, id, [userId, contactId])
  await addFormerContacts(tx, core, userId, contactId)
  const details = { connectionId: id }
  await audit(tx, { action: 'connection_removed', actorId, targetId: contactId, address, details, at: now })
  tx.afterCommit(() => {
    core.bus.publish('accessEnded', { connectionId: id })
    core.sockets.notify([userId, contactId], { type: 'connection_removed', connectionId: id })
  })
  return { contactId }
}

/**
 * Destroys the data of an ended connection before the caller gets a response; after an interruption the retention job
 * does it.
 */
export async function destroyEndedConnection(core: Core, id: string): Promise<void> {
  await destroyConnectionData(core, id).catch((error: unknown) =>
    core.log.error({ err: error }, 'the retention job destroys the rest of a removed connection'),
  )
}

export async function removeConnection(core: Core, caller: Caller, id: string): Promise<void> {
  await core.db.write((tx) => endConnection(core, tx, caller, id))
  await destroyEndedConnection(core, id)
}

/**
 * Ends the connection and refuses a new one with this contact. To the contact and in the audit log it is a removal like
 * any other; only the caller's own list shows the block.
 */
export async function blockContact(core: Core, caller: Caller, connectionId: string): Promise<BlockedPerson> {
  const blocked = await core.db.write(async (tx) => {
    const { contactId } = await endConnection(core, tx, caller, connectionId)
    await deleteFormerContact(tx, caller.userId, contactId, core.clock.now())
    const contact = await selectParticipant(tx, contactId)
    if (contact === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
    return addBlock(tx, core, caller.userId, contactId, contact)
  })
  await destroyEndedConnection(core, connectionId)
  return blocked
}

export async function getStatistics({ db, clock, config }: Core, userId: string): Promise<ConnectionStatistics> {
  const counts = await countMessages(db.read, userId, clock.now())
  return { ...counts, period: config.retention }
}
