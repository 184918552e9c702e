import { audit } from '../../core/audit/audit.ts'
import { inBatches, type Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { ConnectionEndingRow } from '../../core/database/tables/connections.ts'
import { deleteConnectionsOf, type EndingActor, insertEndings, takeEndings } from './endingQueries.ts'

/** Connections told of in one transaction: a few milliseconds of work. */
const batchSize = 10

/**
 * Ends every connection of a user whose account this transaction deletes, in a few statements however many there are:
 * unreachable when it is durable. Returns their ids. `finishEndings` tells of each afterwards.
 */
export async function endAllConnections(core: Core, tx: Tx, userId: string, by: EndingActor): Promise<string[]> {
  await insertEndings(tx, userId, by)
  return (await deleteConnectionsOf(tx, userId, core.clock.now())).map(({ id }) => id)
}

/** The entry and the notices of one connection: the same as for every removal (`endConnection`). */
async function tellOfEnding(core: Core, tx: Tx, row: ConnectionEndingRow): Promise<void> {
  const { connection_id: connectionId, contact_id: contactId } = row
  await audit(tx, {
    action: 'connection_removed',
    actorId: row.actor_id,
    actorOrganizationId: row.actor_organization,
    targetId: row.target_id,
    organizationId: row.target_organization,
    address: row.address ?? undefined,
    details: { connectionId, ...(row.is_account_told === 1 && { accountDeleted: true }) },
    at: core.clock.now(),
  })
  tx.afterCommit(() => {
    core.bus.publish('accessEnded', { connectionId })
    core.sockets.notify(contactId, { type: 'connection_removed', connectionId })
    if (row.had_notifications === 1) core.sockets.notify(contactId, { type: 'notifications_changed' })
  })
}

/**
 * Writes the entries of connections that ended with an account, and tells the contacts, a few in each transaction:
 * others' calls run in between. Each is taken in the transaction that tells of it, so that an interruption, or another
 * process at the same work, neither loses nor doubles one.
 */
export const finishEndings = (core: Core, userId: string | 'everybody', stopping: Stopping): Promise<void> =>
  inBatches(
    batchSize,
    () =>
      core.db.write(async (tx) => {
        const rows = await takeEndings(tx, userId, batchSize)
        for (const row of rows) await tellOfEnding(core, tx, row)
        if (rows.length > 0) tx.afterCommit(core.db.emptyLogSoon)
        return rows.length
      }),
    stopping,
  )
