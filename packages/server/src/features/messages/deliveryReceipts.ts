import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { findMembership } from '../connections/membership.ts'
import { areReadReceiptsShared } from '../connections/visibility.ts'
import { notifyProgress } from './progress.ts'
import { setDelivered } from './queries.ts'
import { type NewDeliveryReceipt, selectNewReceipts } from './deliveryReceiptQueries.ts'

/** Receipts are collected for this long: a burst of messages becomes one write and one notice. */
const collectionDelayMs = 100
/** Bounds the memory that a browser naming random connections can use. */
const maxConnectionsPerUser = 1_000

/** Stores how far each browser has received, and notifies both participants. */
export function storeDeliveryReceipts(core: Core): void {
  const pending = new Map<string, Map<string, number>>()
  let flushed: Promise<void> = Promise.resolve()

  async function storeReceipt(tx: Tx, { userId, connectionId, seq, side }: NewDeliveryReceipt): Promise<void> {
    if ((await setDelivered(tx, connectionId, side, seq)).changes === 0) return
    const membership = await findMembership(tx, connectionId, userId)
    if (membership === undefined) return
    const areReadsShared = await areReadReceiptsShared(tx, userId, membership.contactId)
    tx.afterCommit(() => notifyProgress(core, membership.connection, side, areReadsShared))
  }

  async function flush(): Promise<void> {
    // Sorts: the same lock order in every process prevents deadlocks.
    const batch = [...pending]
      .flatMap(([userId, connections]) =>
        [...connections].map(([connectionId, seq]) => ({ userId, connectionId, seq })),
      )
      .toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1))
    pending.clear()
    // Filters before the write, so that receipts for random connections do not keep valid ones from being stored.
    const newReceipts = await selectNewReceipts(core.db.read, batch)
    if (newReceipts.length === 0) return
    await core.db.write(async (tx) => {
      for (const receipt of newReceipts) await storeReceipt(tx, receipt)
    }, 'read committed')
  }

  core.sockets.onReceived((userId, { connectionId, seq }) => {
    // Flushes run one after another: receipts that arrive during a slow one share the next.
    if (pending.size === 0)
      core.background.runAfter(collectionDelayMs, 'received', () => (flushed = flushed.catch(() => {}).then(flush)))
    const connections = pending.get(userId) ?? new Map<string, number>()
    pending.set(userId, connections)
    if (connections.size >= maxConnectionsPerUser && !connections.has(connectionId)) return
    connections.set(connectionId, Math.max(seq, connections.get(connectionId) ?? 0))
  })
}
