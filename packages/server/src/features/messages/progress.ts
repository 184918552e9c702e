import type { MessageProgress } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { requireMembership, placeOf } from '../connections/membership.ts'
import { connectionsOf } from '../connections/contacts.ts'
import { areReadReceiptsShared, type Visibility, loadVisibility } from '../connections/visibility.ts'

type Side = 1 | 2

/**
 * Progress of the participant `side` as the participant `viewer` may see it. Their own read position is always visible;
 * the other participant's only while both share read receipts, and only as far as they read while they did.
 */
function progressOf(connection: ConnectionRow, side: Side, viewer: Side, areReadsShared: boolean): MessageProgress {
  const progress = {
    connectionId: connection.id,
    userId: connection[`user_id_${side}`],
    deliveredSeq: connection[`delivered_seq_${side}`],
  }
  if (viewer === side) return { ...progress, readSeq: connection[`read_seq_${side}`] }
  return areReadsShared ? { ...progress, readSeq: connection[`shown_read_seq_${side}`] } : progress
}

export async function getProgress({ db }: Core, userId: string, connectionId: string): Promise<MessageProgress[]> {
  const { connection, side, contactId } = await requireMembership(db.read, connectionId, userId)
  const areReadsShared = await areReadReceiptsShared(db.read, userId, contactId)
  return [progressOf(connection, 1, side, areReadsShared), progressOf(connection, 2, side, areReadsShared)]
}

/** Notifies these participants of the progress of the participant `side`, each with their own view. */
export function notifyProgress(
  { sockets }: Core,
  connection: ConnectionRow,
  side: Side,
  areReadsShared: boolean,
  userIds: readonly string[] = [connection.user_id_1, connection.user_id_2],
): void {
  for (const viewer of [1, 2] as const) {
    const userId = connection[`user_id_${viewer}`]
    if (!userIds.includes(userId)) continue
    sockets.notify(userId, { type: 'progress', progress: progressOf(connection, side, viewer, areReadsShared) })
  }
}

/**
 * Notifies a user and their contacts of each other's progress after the user's visibility changed from `before`. Where
 * nothing changes nobody is notified: that would reveal that the user is online.
 */
export async function notifyProgressOnVisibilityChange(
  tx: Tx,
  core: Core,
  userId: string,
  before: Visibility,
): Promise<void> {
  const rows = await connectionsOf(tx, userId)
  const visibleParts = await loadVisibility(tx, [...new Set(rows.flatMap((row) => [row.user_id_1, row.user_id_2]))])
  tx.afterCommit(() => {
    for (const row of rows) {
      const { contactId } = placeOf(row, userId)
      const areReadsShared = visibleParts(userId, contactId).reads
      if (areReadsShared === visibleParts(userId, contactId, before).reads) continue
      notifyProgress(core, row, 1, areReadsShared, [row.user_id_2])
      notifyProgress(core, row, 2, areReadsShared, [row.user_id_1])
    }
  })
}
