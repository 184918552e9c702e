import { setImmediate } from 'node:timers/promises'
import { audit } from '../../core/audit/audit.ts'
import { inBatches, type Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import type { ConnectionEndingRow } from '../../core/database/tables/connections.ts'
import {
  deleteConnections,
  deleteEndings,
  type EndingActor,
  insertEndings,
  selectConnectionIds,
} from './endingQueries.ts'
import { deleteExpiredFormerContacts } from './queries.ts'

/** Connections handled in one transaction: a few milliseconds of work. */
const batchSize = 10

/**
 * Ends every connection of a user whose account this transaction deletes: unreachable once it is durable. Other calls
 * read between the statements for a few of them. Returns their ids; `finishEndings` notifies the contacts afterwards.
 */
export async function endAllConnections(core: Core, tx: Tx, userId: string, actor: EndingActor): Promise<string[]> {
  const ids = (await selectConnectionIds(tx, userId)).map(({ id }) => id)
  for (const some of splitIntoStatements(ids)) {
    await insertEndings(tx, userId, some, actor)
    await deleteConnections(tx, some, core.clock.now())
    await setImmediate()
  }
  return ids
}

/**
 * Writes the audit entry and sends the notices of one ended connection, the same as for every removal
 * (`endConnection`).
 */
async function completeEnding(core: Core, tx: Tx, row: ConnectionEndingRow): Promise<void> {
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
 * Writes the audit entries of connections that ended with an account and notifies the contacts, a few per transaction,
 * so that other calls run in between. Each row is deleted in the transaction that handles it: no interruption and no
 * concurrent process loses or repeats one.
 */
export const finishEndings = (core: Core, userId: string | 'everybody', stopping: Stopping): Promise<void> =>
  inBatches(
    batchSize,
    () =>
      core.db.write(async (tx) => {
        const rows = await deleteEndings(tx, userId, batchSize)
        for (const row of rows) await completeEnding(core, tx, row)
        if (rows.length > 0) tx.afterCommit(core.db.emptyLogSoon)
        return rows.length
      }),
    stopping,
  )

const deleteFormerContacts = ({ db, clock }: Core) =>
  db.write(async (tx) => {
    const { changes } = await deleteExpiredFormerContacts(tx, clock.now())
    if (changes > 0) tx.afterCommit(db.emptyLogSoon)
  })

export const connectionJobs: Job[] = [
  { name: 'forget former contacts', every: 60_000, run: deleteFormerContacts },
  {
    name: 'finish deletions of accounts',
    every: 15_000,
    run: (core, stopping) => finishEndings(core, 'everybody', stopping),
  },
]
