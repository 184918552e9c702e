import type { Severity } from '@privity/contract/securityEvents'
import type { SignalKind } from './rules.ts'

/** A stored event as the rules see it. */
export interface Signal {
  kind: SignalKind
  /** The same event has the same id, however often it is read. */
  id: string
  at: number
  /** Later than `at` if a browser was offline and reported the event later. */
  storedAt: number
  /** The account it is about: a user's id, 'founder', or a keyed hash of a name that nobody has. */
  account: string
  /** The affected user; undefined if nobody has the name. */
  userId: string | undefined
  address: string | undefined
  /** The network that the address belongs to. */
  network: string | undefined
  severity: Severity
}

/** Ordered by time; within a millisecond by id. */
const isAfter = (one: Signal, other: Signal) => one.at > other.at || (one.at === other.at && one.id > other.id)

/** The position at which to insert a signal into a sorted list; undefined if it is in the list already. */
export function insertionIndex(sorted: readonly Signal[], signal: Signal): number | undefined {
  let [low, high] = [0, sorted.length]
  const last = sorted.at(-1)
  if (last === undefined || isAfter(signal, last)) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(signal, sorted[middle] as Signal)) low = middle + 1
    else high = middle
  }
  return sorted[low]?.id === signal.id ? undefined : low
}
