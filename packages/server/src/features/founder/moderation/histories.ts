import type { History, Replies } from './rules.ts'

/** The columns of a message in the index by expiry. */
export type SentRow = readonly [
  expiresAt: number,
  senderId: string,
  connectionId: string,
  createdAt: number,
  repetition: string | null,
]

export interface SenderHistory extends History {
  /** Expiry of each message. */
  until: number[]
  /** Collects the messages of others in the sender's connections; only few senders need it. */
  replies(): Replies
}

interface Growing extends Omit<SenderHistory, 'replies'> {
  newest: number
  ordered: boolean
}

export interface Histories {
  add(row: SentRow): void
  bySender(): Iterable<[senderId: string, history: SenderHistory]>
}

function sorted({ at, connection, until, tags }: Growing): Omit<SenderHistory, 'replies'> {
  const order = [...at.keys()].toSorted((a, b) => (at[a] as number) - (at[b] as number))
  const inOrder = <T>(values: T[]) => order.map((position) => values[position] as T)
  const newPositions = new Map(order.map((position, place) => [position, place]))
  const reordered = [...tags].map(([position, tag]): [number, string] => [newPositions.get(position) as number, tag])
  return {
    at: inOrder(at),
    connection: inOrder(connection),
    until: inOrder(until),
    tags: new Map(reordered.toSorted(([a], [b]) => a - b)),
  }
}

/**
 * Collects the messages of each sender. They come in the order of expiry, which is that of sending unless the retention
 * was changed in between.
 */
export function createHistories(): Histories {
  const senders = new Map<string, Growing>()
  /** Senders by connection. */
  const sendersByConnection = new Map<string, Set<string>>()

  function repliesTo(senderId: string, connections: ReadonlySet<string>): Replies {
    const others = new Set([...connections].flatMap((each) => [...(sendersByConnection.get(each) ?? [])]))
    others.delete(senderId)
    const replies: { at: number; connection: string }[] = []
    for (const other of others) {
      const { at, connection } = senders.get(other) as Growing
      for (const [position, to] of connection.entries())
        if (connections.has(to)) replies.push({ at: at[position] as number, connection: to })
    }
    replies.sort((one, other) => one.at - other.at)
    return { at: replies.map(({ at }) => at), connection: replies.map(({ connection }) => connection) }
  }

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
      const connected = sendersByConnection.get(connectionId)
      if (connected === undefined) sendersByConnection.set(connectionId, new Set([senderId]))
      else connected.add(senderId)
    },
    *bySender() {
      for (const [senderId, history] of senders) {
        const replies = () => repliesTo(senderId, new Set(history.connection))
        yield [senderId, { ...(history.ordered ? history : sorted(history)), replies }]
      }
    },
  }
}
