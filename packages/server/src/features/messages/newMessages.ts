import { allInOrder } from '../../core/allInOrder.ts'
import type { Tx } from '../../core/db.ts'
import { collision } from '../../core/dbErrors.ts'
import type { MessageRow } from '../../core/schema.ts'
import type { Place } from '../connections/parties.ts'
import { type Added, insertMessages, numberMessages, type SendFacts } from './sendQueries.ts'

interface AddedTo extends Added {
  rows: MessageRow[]
}

const versionsOf = ({ mine_version: mine, peer_version: peer }: SendFacts, { side }: Place): Added['versions'] =>
  side === 1 ? [mine, peer] : [peer, mine]

/** Messages that one transaction will store; each gets its number when all are. */
export function createNewMessages() {
  const rows = new Map<string, MessageRow>()
  const added = new Map<string, AddedTo>()

  /** What the rules have let pass must still be true when the rows of the connections are held. */
  async function numberAll(tx: Tx): Promise<void> {
    const lastSeqs = await numberMessages(tx, [...added.values()])
    for (const { connectionId, rows: its } of added.values()) {
      const lastSeq = lastSeqs.get(connectionId)
      if (lastSeq === undefined) throw collision()
      for (const [at, row] of its.entries()) row.seq = lastSeq - its.length + at + 1
    }
  }

  return {
    count: () => rows.size,
    find: (id: string) => rows.get(id),
    /** The number in `row` is replaced by the one it gets. */
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
      // What is remembered of the two may be of different times.
      if (to.versions[0] !== versions[0] || to.versions[1] !== versions[1]) throw collision()
      added.set(connectionId, to)
      rows.set(row.id, row)
      to.rows.push(row)
      to.messages += 1
      to.newest[place.side - 1] = to.messages
    },
    /** No statement waits for the answer to the one before; what failed first is what went wrong. */
    store(tx: Tx): Promise<void> {
      const all = [...added.values()].flatMap(({ rows: its }) =>
        its.map((row, at) => ({ row, beforeLast: its.length - at - 1 })),
      )
      return allInOrder([numberAll(tx), insertMessages(tx, all)])
    },
  }
}

export type NewMessages = ReturnType<typeof createNewMessages>
