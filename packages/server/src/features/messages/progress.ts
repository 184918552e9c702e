import type { Progress } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { membership } from '../connections/membership.ts'
import { connectionsOf } from '../connections/contacts.ts'
import { placeOf } from '../connections/participants.ts'
import { tellReads, type Visibility, visibilityAmong } from '../connections/visibility.ts'

type Side = 1 | 2

/**
 * Progress of the participant `side` as the participant `viewer` may see it. Their own read position is always visible;
 * the other participant's only while both share read receipts (`shown`), and only as far as they read while they did.
 */
export function progressOf(connection: ConnectionRow, side: Side, viewer: Side, shown: boolean): Progress {
  const progress = {
    connectionId: connection.id,
    userId: connection[`user_id_${side}`],
    deliveredSeq: connection[`delivered_seq_${side}`],
  }
  if (viewer === side) return { ...progress, readSeq: connection[`read_seq_${side}`] }
  return shown ? { ...progress, readSeq: connection[`shown_read_seq_${side}`] } : progress
}

export async function getProgress({ db }: Core, userId: string, connectionId: string): Promise<Progress[]> {
  const { connection, side, contactId: otherId } = await membership(db.read, connectionId, userId)
  const shown = await tellReads(db.read, userId, otherId)
  return [progressOf(connection, 1, side, shown), progressOf(connection, 2, side, shown)]
}

/** Notifies the participants in `told` of the progress of the participant `side`, each with their own view. */
export function tellProgress(
  { sockets }: Core,
  connection: ConnectionRow,
  side: Side,
  shown: boolean,
  told: readonly string[] = [connection.user_id_1, connection.user_id_2],
): void {
  for (const viewer of [1, 2] as const) {
    const userId = connection[`user_id_${viewer}`]
    if (!told.includes(userId)) continue
    sockets.notify(userId, { type: 'progress', progress: progressOf(connection, side, viewer, shown) })
  }
}

/**
 * Notifies a user and their contacts of each other's progress after the user's visibility changed from `before`. Where
 * nothing changes nobody is notified: that would reveal that the user is online.
 */
export async function tellAllProgress(tx: Tx, core: Core, userId: string, before: Visibility): Promise<void> {
  const rows = await connectionsOf(tx, userId)
  const seen = await visibilityAmong(tx, [...new Set(rows.flatMap((row) => [row.user_id_1, row.user_id_2]))])
  tx.afterCommit(() => {
    for (const row of rows) {
      const { contactId: otherId } = placeOf(row, userId)
      const shown = seen(userId, otherId).reads
      if (shown === seen(userId, otherId, before).reads) continue
      tellProgress(core, row, 1, shown, [row.user_id_2])
      tellProgress(core, row, 2, shown, [row.user_id_1])
    }
  })
}
