import { settleInOrder } from '../../core/database/statements.ts'
import type { Tx } from '../../core/database/types.ts'
import { createCollision } from '../../core/database/errors.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import type { SentMessages } from '../../core/metrics/messagesPerMinute.ts'
import type { Place } from '../connections/membership.ts'
import { type Added, insertMessages, numberMessages, type SendFacts } from './sendQueries.ts'

const versionsOf = ({ mine_version: mine, peer_version: peer }: SendFacts, { side }: Place): Added['versions'] =>
  side === 1 ? [mine, peer] : [peer, mine]

/** Messages that one transaction will store; each gets its `seq` when they are stored. */
export function createInsertBatch() {
  const rows = new Map<string, MessageRow>()
  const added = new Map<string, Added>()

  /** Throws for a connection that has changed since its messages were validated, so that the batch is retried. */
  function assignNumbers(lastSeqs: ReadonlyMap<string, number>): void {
    for (const { connectionId, rows: ofConnection } of added.values()) {
      const lastSeq = lastSeqs.get(connectionId)
      if (lastSeq === undefined) throw createCollision()
      for (const [i, row] of ofConnection.entries()) row.seq = lastSeq - ofConnection.length + i + 1
    }
  }

  return {
    count: () => rows.size,
    find: (id: string) => rows.get(id),
    /** `row.seq` is a placeholder until the batch is stored. */
    add(row: MessageRow, place: Place, facts: SendFacts): void {
      const { connection_id: connectionId } = row
      const versions = versionsOf(facts, place)
      const lifetime = facts.lifetime ?? 0
      const to: Added = added.get(connectionId) ?? { connectionId, rows: [], newest: [null, null], versions, lifetime }
      // Cached facts may be older than those queried now.
      const isSame = to.versions.every((version, i) => version === versions[i]) && to.lifetime === lifetime
      if (!isSame) throw createCollision()
      added.set(connectionId, to)
      rows.set(row.id, row)
      to.rows.push(row)
      to.newest[place.side - 1] = to.rows.length
    },
    /** Sends all statements without waiting in between; throws the first failure in their order. */
    async store(tx: Tx, sentMessages: SentMessages, now: number): Promise<void> {
      const all = [...added.values()]
      await settleInOrder([
        numberMessages(tx, all).then(assignNumbers),
        insertMessages(tx, all),
        sentMessages.count(tx, now, rows.size),
      ])
    },
  }
}

export type InsertBatch = ReturnType<typeof createInsertBatch>
