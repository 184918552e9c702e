/**
 * The durable store of the floor: the least that keeps a message on disk before it is acknowledged (SQLite, WAL,
 * synchronous=FULL). `each`: one transaction per message; `group`: concurrent messages share one; `worker`: the same on
 * a worker thread; `pg`: in the PostgreSQL of FLOOR_URL.
 */
export type Kind = 'each' | 'group' | 'worker' | 'pg'

export interface Row {
  connectionId: string
  senderId: string
  content: string
  createdAt: number
}

export interface Store {
  /** Stores a row and resolves with its id once it is durable. */
  add(row: Row): Promise<number>
  /** The newest `count` messages of a connection, oldest first. */
  newest(connectionId: string, count: number): Promise<unknown[]> | unknown[]
}
