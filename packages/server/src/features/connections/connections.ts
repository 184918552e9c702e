import type { Connection, Party } from '@privity/contract/connections'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { forgetConnection } from '../notifications/notifications.ts'
import { destroyConnectionData } from '../retention/retention.ts'
import { keepFormer } from './formerContacts.ts'
import { membership } from './membership.ts'
import { deleteConnection, type PartyRow, selectConnections, selectParties } from './queries.ts'
import { type Seen, visibilityAmong } from './visibility.ts'

export const isAvailable = (user: { is_active: number; suspended: number }): boolean =>
  user.is_active === 1 && user.suspended === 0

/** A user as another member sees them, or as they see themselves. */
export function toParty({ sockets }: Core, row: PartyRow, seen: Seen): Party {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    available: isAvailable(row),
    online: seen.online && sockets.isOnline(row.id),
    ...(seen.profile && { username: row.username, email: row.email }),
  }
}

/** `seen` returns the parts of a user that the viewer may see. */
export function toConnection(
  core: Core,
  row: ConnectionRow,
  [user1, user2]: readonly [PartyRow, PartyRow],
  seen: (userId: string) => Seen,
): Connection {
  return {
    id: row.id,
    userId1: row.user_id_1,
    userId2: row.user_id_2,
    user1: toParty(core, user1, seen(user1.id)),
    user2: toParty(core, user2, seen(user2.id)),
    status: row.status,
    connectedAt: row.connected_at,
    lastSeq: row.last_seq,
  }
}

export async function listConnections(core: Core, userId: string): Promise<Connection[]> {
  const rows = await selectConnections(core.db.read, [userId])
  const userIds = [...new Set(rows.flatMap((row) => [row.user_id_1, row.user_id_2]))]
  const parties = await selectParties(core.db.read, userIds)
  const seen = await visibilityAmong(core.db.read, userIds)
  return rows.flatMap((row) => {
    const [user1, user2] = [parties.get(row.user_id_1), parties.get(row.user_id_2)]
    if (user1 === undefined || user2 === undefined) return []
    return [toConnection(core, row, [user1, user2], (memberId) => seen(memberId, userId))]
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
 * the same audit entry, whatever the reason. Call `destroyEnded` afterwards.
 */
export async function endConnection(core: Core, tx: Tx, ending: Ending, id: string): Promise<{ otherId: string }> {
  const { userId, actorId = userId, address } = ending
  const { contactId: otherId } = await membership(tx, id, userId)
  const now = core.clock.now()
  await deleteConnection(tx, id, now)
  await forgetConnection(tx, core, id, [userId, otherId])
  await keepFormer(tx, core, userId, otherId)
  await audit(tx, {
    action: 'connection_removed',
    actorId,
    targetId: otherId,
    address,
    details: { connectionId: id },
    at: now,
  })
  tx.afterCommit(() => {
    core.bus.publish('accessEnded', { connectionId: id })
    core.sockets.notify([userId, otherId], { type: 'connection_removed', connectionId: id })
  })
  return { otherId }
}

/**
 * Destroys the data of an ended connection before the caller gets a response; after an interruption the retention job
 * does it.
 */
export async function destroyEnded(core: Core, id: string): Promise<void> {
  await destroyConnectionData(core, id).catch((error: unknown) =>
    core.log.error({ err: error }, 'the retention job destroys the rest of a removed connection'),
  )
}

export async function removeConnection(core: Core, caller: Caller, id: string): Promise<void> {
  await core.db.write((tx) => endConnection(core, tx, caller, id))
  await destroyEnded(core, id)
}
