import { envelopeUse } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import { inBatches, type Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import { steadyEnough } from '../../core/steadyTime.ts'
import type { Tx } from '../../core/database/types.ts'
import { deleteEarliest, deleteInBatches, destroyInBatches } from '../../core/jobs/rowDeletion.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { destroyFiles } from '../files/files.ts'
import {
  bringForward,
  claimExpiredFiles,
  type Dated,
  deleteEnvelopesOf,
  deleteMessagesOf,
  deleteRemovedConnection,
  selectFilesOf,
  selectRemovedConnections,
} from './queries.ts'

/** Rows destroyed at a time: a few milliseconds of work. */
const batchSize = 100

const destroyRows = ({ db }: Core, destroy: (tx: Tx) => Promise<{ changes: number }>, stopping: Stopping) =>
  destroyInBatches(db, batchSize, destroy, stopping)

/** Stops after a batch in which the store failed to remove a file, and throws the failure; the next run tries again. */
async function destroyFilesInBatches(
  core: Core,
  select: (tx: Tx) => Promise<{ id: string }[]>,
  stopping: Stopping,
): Promise<void> {
  let failure: { error: unknown } | undefined
  const destroyBatch = async () => {
    const ids = (await core.db.write(select)).map(({ id }) => id)
    const result = await destroyFiles(core, ids)
    failure = result.failure
    if (result.removed.length > 0) core.db.emptyLogSoon()
    return result.removed.length
  }
  await inBatches(batchSize, destroyBatch, stopping)
  if (failure) throw failure.error
}

async function destroyRowsOf(core: Core, id: string, stopping: Stopping): Promise<void> {
  await destroyRows(core, (tx) => deleteMessagesOf(tx, id, batchSize), stopping)
  await destroyRows(core, (tx) => deleteEnvelopesOf(tx, id, batchSize), stopping)
}

/** Destroys everything that a removed connection held. Idempotent: can be interrupted anywhere and run again. */
export async function destroyConnectionData(core: Core, id: string, stopping: Stopping = () => false): Promise<void> {
  await destroyRowsOf(core, id, stopping)
  await destroyFilesInBatches(core, (tx) => selectFilesOf(tx, id, batchSize), stopping)
}

/** Runs every task, even after one has failed, then empties the log; throws the first failure. */
async function destroyAll(core: Core, stopping: Stopping, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: { error: unknown } | undefined
  for (const task of tasks) {
    try {
      await task()
    } catch (error) {
      failure ??= { error }
    }
  }
  await purgeDeletedRows(core, stopping)
  if (failure) throw failure.error
}

const removedConnections = async ({ db }: Core) => (await selectRemovedConnections(db.read)).map(({ id }) => id)

/**
 * Destroys messages and envelopes that have expired or whose connection is gone, with their bytes in the log. Does not
 * use the store of files, which may be down for hours.
 */
export async function destroyExpired(core: Core, stopping: Stopping): Promise<void> {
  const now = () => core.clock.now()
  await destroyAll(core, stopping, [
    () => destroyRows(core, (tx) => deleteEarliest(tx, 'envelopes', now(), batchSize), stopping),
    // No message before it expires, not even one that its sender has deleted: sending recognizes a repeated message by
    // its row, and without that row it would store the same encrypted message again, as a new one.
    () => destroyRows(core, (tx) => deleteEarliest(tx, 'messages', now(), batchSize), stopping),
    ...(await removedConnections(core)).map((id) => () => destroyRowsOf(core, id, stopping)),
  ])
}

/** Destroys expired files with their authorizations, and the rest of removed connections. */
export async function destroyExpiredFiles(core: Core, stopping: Stopping): Promise<void> {
  await destroyAll(core, stopping, [
    () => destroyFilesInBatches(core, (tx) => claimExpiredFiles(tx, core.clock.now(), batchSize), stopping),
    ...(await removedConnections(core)).map((id) => async () => {
      await destroyConnectionData(core, id, stopping)
      if (!stopping()) await core.db.write((tx) => deleteRemovedConnection(tx, id))
    }),
  ])
}

/** Empties the database's log if a secret was replaced or deleted since; each process knows its own deletions. */
async function purgeDeletedRows({ db }: Core, stopping: Stopping): Promise<void> {
  if (db.holdsDeleted() && !stopping()) await db.purgeDeletedRows()
}

/** How far ahead (ms) a date that is stored now lies: something expires later, and nothing was made later than now. */
const dates: (Dated & { ahead: number; use?: number })[] = [
  { table: 'messages', ahead: limits.retention },
  { table: 'envelopes', ahead: limits.retention, use: envelopeUse(limits.retention) },
  { table: 'files', ahead: limits.retention },
  { table: 'message_flags', only: "rule <> 'report'", ahead: limits.retention },
  { table: 'message_flags', only: "rule = 'report'", ahead: limits.reportsKept },
  { table: 'notifications', ahead: limits.notificationAge },
  { table: 'connection_requests', ahead: limits.connectionRequestKept },
  { table: 'former_contacts', key: 'user_id, contact_id', ahead: limits.formerContactKept },
  { table: 'security_events', date: 'created_at', ahead: 0 },
  { table: 'audit_addresses', key: 'seq', date: 'created_at', ahead: 0 },
]

const every = 15_000

/**
 * Corrects dates that were written while the clock was ahead: nothing stored then lives longer than what was stored
 * when the clock was put right, because its keys are destroyed by then. That was an hour ago at least, and the jobs run
 * somewhat later. Messages come first: none may outlive its envelope. An envelope that may still be used keeps its end,
 * which processes remember.
 */
async function correctDates({ db, clock, steadyTime }: Core, stopping: Stopping): Promise<void> {
  if (steadyTime() < steadyEnough) return
  const sinceRight = steadyEnough + 2 * every
  for (const { ahead, use = 0, ...rows } of dates) {
    const correctBatch = (tx: Tx) => {
      const date = clock.now() + ahead
      const latest = date + use + limits.clockTolerance
      return bringForward(tx, rows, { latest, date: date - sinceRight }, batchSize)
    }
    await deleteInBatches(db, batchSize, correctBatch, stopping)
  }
}

/** These destroy what has expired; messages/send.ts sets when a message and its file expire. */
export const retentionJobs: Job[] = [
  { name: 'correct dates of a clock that was ahead', every, run: correctDates },
  { name: 'destroy what has expired', every, run: destroyExpired },
  { name: 'destroy expired files', every, run: destroyExpiredFiles },
  { name: 'empty the log', every, inEveryProcess: true, run: purgeDeletedRows },
]
