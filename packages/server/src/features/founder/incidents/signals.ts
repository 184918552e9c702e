import type { Severity } from '@privity/contract/securityEvents'
import type { SignalKind } from './rules.ts'

/** A stored event as the rules see it. */
export interface Signal {
  kind: SignalKind
  /** One event is one id, however often it is read. */
  id: string
  at: number
  /** Later than `at` for what a browser without a connection had to keep. */
  storedAt: number
  /** Whose: a user's id, 'founder', or a keyed hash of a name that nobody has. */
  account: string
  /** Who is affected: undefined where nobody has the name. */
  userId: string | undefined
  address: string | undefined
  /** What the address counts as. */
  network: string | undefined
  severity: Severity
}

/** Oldest first; of the same millisecond, by id. */
const isAfter = (one: Signal, other: Signal) => one.at > other.at || (one.at === other.at && one.id > other.id)

/** Where a signal belongs among sorted ones; undefined where it is among them. */
export function placeOf(sorted: readonly Signal[], signal: Signal): number | undefined {
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
