import type { Tx } from '../../core/db.ts'
import type { MessageRow } from '../../core/schema.ts'
import { insertMessages, type NewestOf } from './sendQueries.ts'

/** Messages that one transaction will store, numbered one after the other within their connections. */
export function createNewMessages() {
  const rows = new Map<string, MessageRow>()
  const newest = new Map<string, NewestOf>()
  return {
    count: () => rows.size,
    find: (id: string) => rows.get(id),
    /** The number that a message of this connection gets, which has stored `lastSeq` so far. */
    nextSeq: (connectionId: string, lastSeq: number) => (newest.get(connectionId)?.lastSeq ?? lastSeq) + 1,
    add(row: MessageRow, side: 1 | 2): void {
      rows.set(row.id, row)
      const { connection_id: connectionId, seq } = row
      const { before, sent } = newest.get(connectionId) ?? { before: seq - 1, sent: [null, null] }
      newest.set(connectionId, {
        connectionId,
        before,
        lastSeq: seq,
        sent: side === 1 ? [seq, sent[1]] : [sent[0], seq],
      })
    },
    store: (tx: Tx) => insertMessages(tx, [...rows.values()], [...newest.values()]),
  }
}

export type NewMessages = ReturnType<typeof createNewMessages>
