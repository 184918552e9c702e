import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import { findMembership } from '../connections/membership.ts'
import { tellReads } from '../connections/visibility.ts'
import { tellProgress } from './progress.ts'
import { setDelivered } from './queries.ts'

/** Acknowledgements are gathered for this long (ms): a burst of messages is one write and one notice. */
const gathered = 100
/** So that a browser naming connections at random cannot fill the memory. */
const mostConnections = 1_000

/** Keeps how far each browser has received, and tells both parties. */
export function keepReceived(core: Core): void {
  const waiting = new Map<string, Map<string, number>>()

  async function advance(tx: Tx, userId: string, connectionId: string, seq: number): Promise<void> {
    const link = await findMembership(tx, connectionId, userId)
    if (link === undefined || (await setDelivered(tx, connectionId, link.side, seq)).changes === 0) return
    const { connection, side, otherId } = link
    const deliveredSeq = Math.min(seq, connection.last_seq)
    const shown = await tellReads(tx, userId, otherId)
    const row = { ...connection, [`delivered_seq_${side}`]: deliveredSeq }
    tx.afterCommit(() => tellProgress(core, row, side, shown))
  }

  async function flush(): Promise<void> {
    // In one order for all processes, so that no two wait for each other's rows.
    const batch = [...waiting]
      .flatMap(([userId, connections]) =>
        [...connections].map(([connectionId, seq]) => ({ userId, connectionId, seq })),
      )
      .toSorted((one, other) => (one.connectionId < other.connectionId ? -1 : 1))
    waiting.clear()
    await core.db.write(async (tx) => {
      for (const { userId, connectionId, seq } of batch) await advance(tx, userId, connectionId, seq)
    }, 'read committed')
  }

  core.sockets.onReceived((userId, { connectionId, seq }) => {
    if (waiting.size === 0) {
      core.clock.after(gathered, () => {
        flush().catch((error: unknown) => core.log.error({ err: error }, 'received'))
      })
    }
    const connections = waiting.get(userId) ?? new Map<string, number>()
    waiting.set(userId, connections)
    if (connections.size >= mostConnections && !connections.has(connectionId)) return
    connections.set(connectionId, Math.max(seq, connections.get(connectionId) ?? 0))
  })
}
