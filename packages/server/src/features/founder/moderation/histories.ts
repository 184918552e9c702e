import type { History } from './rules.ts'

/** A message as the index by expiry has it. */
export type SentRow = readonly [
  expiresAt: number,
  senderId: string,
  connectionId: string,
  createdAt: number,
  repetition: string | null,
]

export interface SenderHistory extends History {
  /** When each expires. */
  until: number[]
}

interface Growing extends SenderHistory {
  newest: number
  ordered: boolean
}

export interface Histories {
  add(row: SentRow): void
  bySender(): Iterable<[senderId: string, history: SenderHistory]>
}

function sorted({ at, connection, until, tags }: SenderHistory): SenderHistory {
  const order = [...at.keys()].toSorted((a, b) => (at[a] as number) - (at[b] as number))
  const inOrder = <T>(values: T[]) => order.map((position) => values[position] as T)
  const places = new Map(order.map((position, place) => [position, place]))
  const placed = [...tags].map(([position, tag]): [number, string] => [places.get(position) as number, tag])
  return {
    at: inOrder(at),
    connection: inOrder(connection),
    until: inOrder(until),
    tags: new Map(placed.toSorted(([a], [b]) => a - b)),
  }
}

/** What each sender has sent, gathered in the order of expiry: that of time, unless the retention was changed between. */
export function createHistories(): Histories {
  const senders = new Map<string, Growing>()
  return {
    add([expiresAt, senderId, connectionId, createdAt, repetition]) {
      let history = senders.get(senderId)
      if (history === undefined) {
        history = { at: [], connection: [], until: [], tags: new Map(), newest: 0, ordered: true }
        senders.set(senderId, history)
      }
      if (createdAt < history.newest) history.ordered = false
      history.newest = createdAt
      if (repetition !== null) history.tags.set(history.at.length, repetition)
      history.at.push(createdAt)
      history.connection.push(connectionId)
      history.until.push(expiresAt)
    },
    *bySender() {
      for (const [senderId, history] of senders) yield [senderId, history.ordered ? history : sorted(history)]
    },
  }
}
