/** The measurements that a bench can take. */
export const tests = ['past', 'latency', 'throughput', 'storm', 'idle'] as const
export type Test = (typeof tests)[number]
export const isTest = (name: string): name is Test => (tests as readonly string[]).includes(name)

export interface Plan {
  tests: readonly Test[]
  /** Number of turns per measurement. */
  turns: number
  /** Numbers of idle clients at which memory is measured. */
  steps: readonly number[]
  pairs: readonly [number, number]
  reconnects: number
}

/** The figures of one turn of one server; undefined if not measured. */
export interface Figures {
  /** Milliseconds from each send to its arrival, at 100 messages a second. */
  latencies?: number[]
  /**
   * Messages delivered a second, with few and many pairs, and the processor time (µs) per message, including the
   * database's.
   */
  fewPairs?: number
  manyPairs?: number
  fewCost?: number
  manyCost?: number
  /** Milliseconds until all disconnected clients are connected again. */
  reconnect?: number
  /** Milliseconds per query for the newest 50 messages, and queries a second with eight in parallel. */
  pasts?: number[]
  pastRate?: number
  /** KiB of the server without clients, and per idle client, by the number of clients. */
  empty?: number
  idle?: Record<number, number>
  /** Percent of one core that everything else on the machine used during each measurement. */
  others: number[]
}
