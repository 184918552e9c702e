import { inBatches, type Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { destroyFiles } from '../files/files.ts'
import {
  claimExpiredFiles,
  deleteEnvelopesOf,
  deleteExpiredEnvelopes,
  deleteExpiredMessages,
  deleteMessagesOf,
  forgetRemovedConnection,
  selectFilesOf,
  selectRemovedConnections,
} from './queries.ts'

/** Rows destroyed at a time: a few milliseconds of work. */
const batch = 100

/** Destroyed rows are removed from the log of the database too. */
const destroyInBatches = ({ db }: Core, destroySome: () => Promise<number>, stopping: Stopping): Promise<void> =>
  inBatches(
    batch,
    async () => {
      const count = await destroySome()
      if (count > 0) db.emptyLogSoon()
      return count
    },
    stopping,
  )

const rows = (core: Core, destroy: (tx: Tx) => Promise<{ changes: number }>, stopping: Stopping) =>
  destroyInBatches(core, async () => (await core.db.write(destroy)).changes, stopping)

/** Ends with the batch in which the store failed to remove a file, and throws why: the next run tries it again. */
async function files(core: Core, select: (tx: Tx) => Promise<{ id: string }[]>, stopping: Stopping): Promise<void> {
  let failure: { error: unknown } | undefined
  const destroySome = async () => {
    const ids = (await core.db.write(select)).map(({ id }) => id)
    const removed = await destroyFiles(core, ids)
    ;({ failure } = removed)
    return removed.removed.length
  }
  await destroyInBatches(core, destroySome, stopping)
  if (failure) throw failure.error
}

async function destroyRowsOf(core: Core, id: string, stopping: Stopping): Promise<void> {
  await rows(core, (tx) => deleteMessagesOf(tx, id, batch), stopping)
  await rows(core, (tx) => deleteEnvelopesOf(tx, id, batch), stopping)
}

/** Destroys everything that a removed connection held. Idempotent: can be interrupted anywhere and run again. */
export async function destroyConnectionData(core: Core, id: string, stopping: Stopping = () => false): Promise<void> {
  await destroyRowsOf(core, id, stopping)
  await files(core, (tx) => selectFilesOf(tx, id, batch), stopping)
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
  await emptyLog(core, stopping)
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
    () => rows(core, (tx) => deleteExpiredEnvelopes(tx, now(), batch), stopping),
    () => rows(core, (tx) => deleteExpiredMessages(tx, now(), batch), stopping),
    ...(await removedConnections(core)).map((id) => () => destroyRowsOf(core, id, stopping)),
  ])
}

/** Destroys expired files with their authorizations, and the rest of removed connections. */
export async function destroyExpiredFiles(core: Core, stopping: Stopping): Promise<void> {
  await destroyAll(core, stopping, [
    () => files(core, (tx) => claimExpiredFiles(tx, core.clock.now(), batch), stopping),
    ...(await removedConnections(core)).map((id) => async () => {
      await destroyConnectionData(core, id, stopping)
      if (!stopping()) await core.db.write((tx) => forgetRemovedConnection(tx, id))
    }),
  ])
}

/** Empties the log if a secret was replaced or deleted since; each process knows what it deleted itself. */
export async function emptyLog({ db }: Core, stopping: Stopping): Promise<void> {
  if (db.holdsDeleted() && !stopping()) await db.emptyLog()
}
