import { settleInOrder, maxRowsPerStatement } from '../../core/database/statements.ts'
import type { Tx } from '../../core/database/types.ts'
import { createCollision } from '../../core/database/errors.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import type { SentMessages } from '../../core/metrics/messagesPerMinute.ts'
import type { Place } from '../connections/membership.ts'
import { type Added, insertMessages, numberMessages, type SendFacts, storeWhole } from './sendQueries.ts'

interface AddedTo extends Added {
  rows: MessageRow[]
}

const versionsOf = ({ mine_version: mine, peer_version: peer }: SendFacts, { side }: Place): Added['versions'] =>
  side === 1 ? [mine, peer] : [peer, mine]

/** Messages that one transaction will store; each gets its `seq` when they are stored. */
export function createInsertBatch() {
  const rows = new Map<string, MessageRow>()
  const added = new Map<string, AddedTo>()

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
      const to: AddedTo = added.get(connectionId) ?? {
        connectionId,
        messages: 0,
        newest: [null, null],
        versions,
        rows: [],
      }
      // Cached facts may be older than those queried now.
      if (to.versions[0] !== versions[0] || to.versions[1] !== versions[1]) throw createCollision()
      added.set(connectionId, to)
      rows.set(row.id, row)
      to.rows.push(row)
      to.messages += 1
      to.newest[place.side - 1] = to.messages
    },
    /** Sends all statements without waiting in between; throws the first failure in their order. */
    async store(tx: Tx, sentMessages: SentMessages, now: number): Promise<void> {
      const all = [...added.values()].map((to) => ({
        ...to,
        rows: to.rows.map((row, i) => ({ row, beforeLast: to.rows.length - i - 1 })),
      }))
      if (tx.runWhole !== undefined && rows.size <= maxRowsPerStatement)
        return assignNumbers(await storeWhole(tx.runWhole, all, sentMessages.within(tx, now, rows.size)))
      await settleInOrder([
        numberMessages(tx, all).then(assignNumbers),
        insertMessages(
          tx,
          all.flatMap((to) => to.rows),
        ),
        sentMessages.count(tx, now, rows.size),
      ])
    },
  }
}

export type InsertBatch = ReturnType<typeof createInsertBatch>
