import { setTimeout } from 'node:timers/promises'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
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

type Stopping = () => boolean

/**
 * Destroys batch after batch until one is not full, and rests after each for as long as it took, so
 * that people get at least every other turn. Answers how many were destroyed. The pace is that of
 * the machine, not of the product's clock.
 */
async function inBatches(destroySome: () => Promise<number>, stopping: Stopping): Promise<number> {
  let total = 0
  for (;;) {
    const start = performance.now()
    const count = await destroySome()
    total += count
    if (count < batch || stopping()) return total
    await setTimeout(performance.now() - start)
  }
}

const rows = (core: Core, destroy: (tx: Tx) => Promise<{ changes: number }>, stopping: Stopping) =>
  inBatches(async () => (await core.db.write(destroy)).changes, stopping)

const files = (core: Core, select: (tx: Tx) => Promise<{ id: string }[]>, stopping: Stopping) =>
  inBatches(async () => {
    const ids = (await core.db.write(select)).map(({ id }) => id)
    await destroyFiles(core, ids)
    return ids.length
  }, stopping)

/** Destroys all that a removed connection held. Can be interrupted anywhere and done again. */
export async function destroyConnectionData(core: Core, id: string, stopping: Stopping = () => false): Promise<void> {
  await files(core, (tx) => selectFilesOf(tx, id, batch), stopping)
  await rows(core, (tx) => deleteMessagesOf(tx, id, batch), stopping)
  await rows(core, (tx) => deleteEnvelopesOf(tx, id, batch), stopping)
}

async function destroyRemoved(core: Core, stopping: Stopping): Promise<number> {
  const removed = await selectRemovedConnections(core.db.read)
  for (const { id } of removed) {
    await destroyConnectionData(core, id, stopping)
    if (!stopping()) await core.db.write((tx) => forgetRemovedConnection(tx, id))
  }
  return removed.length
}

/**
 * Destroys what has expired (messages, envelopes, files with their approvals) and the rest of
 * removed connections; then empties the log, so that the bytes are gone from it too.
 */
export async function destroyExpired(core: Core, stopping: Stopping): Promise<void> {
  const now = () => core.clock.now()
  const destroyed =
    (await files(core, (tx) => claimExpiredFiles(tx, now(), batch), stopping)) +
    (await rows(core, (tx) => deleteExpiredEnvelopes(tx, now(), batch), stopping)) +
    (await rows(core, (tx) => deleteExpiredMessages(tx, now(), batch), stopping)) +
    (await destroyRemoved(core, stopping))
  if (destroyed > 0) core.db.emptyLogSoon()
  await emptyLog(core, stopping)
}

/** Where a secret was replaced or deleted since; each process knows what it deleted itself. */
export async function emptyLog({ db }: Core, stopping: Stopping): Promise<void> {
  if (db.holdsDeleted() && !stopping()) await db.emptyLog()
}
