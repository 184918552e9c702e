/** What a bench can measure. */
export const tests = ['past', 'latency', 'throughput', 'storm', 'idle'] as const
export type Test = (typeof tests)[number]
export const isTest = (name: string): name is Test => (tests as readonly string[]).includes(name)

export interface Plan {
  tests: readonly Test[]
  /** Of each measurement that servers take in turns. */
  turns: number
  /** Numbers of idle clients. */
  steps: readonly number[]
  pairs: readonly [number, number]
  reconnects: number
}

/** What one turn of one server gave; nothing where it was not measured. */
export interface Figures {
  /** Milliseconds from each send to the recipient, at 100 messages a second. */
  latencies?: number[]
  /** Delivered a second, with few and many pairs, and processor time (µs) for each, with its database's. */
  fewPairs?: number
  manyPairs?: number
  fewCost?: number
  manyCost?: number
  /** Milliseconds until all of those who were cut off are back. */
  reconnect?: number
  /** Milliseconds for each question for the newest 50, and questions a second with eight at a time. */
  pasts?: number[]
  pastRate?: number
  /** KiB of the server without clients, and for each idle client, by their number. */
  empty?: number
  idle?: Record<number, number>
  /** How much of one core everything else took in each of its measurements, percent. */
  others: number[]
}
