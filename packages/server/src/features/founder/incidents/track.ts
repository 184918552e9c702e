import type { Condition } from './rules.ts'
import { placeOf, type Signal } from './signals.ts'

/** The newest signals of one account or network, for one condition. */
export interface Track {
  /** Oldest first. */
  signals: Signal[]
  /** The signals among them that are part of a fulfilled condition. */
  hot: Set<Signal>
}

/** More signals than the rate limits let one network or account cause in any window. */
const most = 200

export const createTrack = (): Track => ({ signals: [], hot: new Set() })

const valueOf = (signal: Signal, { counts }: Condition) => (counts === 'accounts' ? signal.account : signal.network)

/** Whether the window that ends with this signal fulfils the condition. */
function isReached(signals: readonly Signal[], end: number, condition: Condition): boolean {
  const { counts, atLeast, within } = condition
  const since = (signals[end] as Signal).at - within
  if (counts === 'events') return (signals[end - atLeast + 1]?.at ?? Number.NEGATIVE_INFINITY) >= since
  const values = new Set<string>()
  for (let at = end; at >= 0 && values.size < atLeast; at--) {
    const signal = signals[at] as Signal
    if (signal.at < since) return false
    const value = valueOf(signal, condition)
    if (value !== undefined) values.add(value)
  }
  return values.size >= atLeast
}

/**
 * Marks the signals in the window that ends at `end` as hot and returns the new ones; `newest` means that no later
 * signal can be hot.
 */
function mark({ signals, hot }: Track, end: number, within: number, newest: boolean): Signal[] {
  const found: Signal[] = []
  const since = (signals[end] as Signal).at - within
  for (let at = end; at >= 0; at--) {
    const signal = signals[at] as Signal
    if (signal.at < since) break
    if (!hot.has(signal)) {
      hot.add(signal)
      found.push(signal)
    } else if (newest) break // this signal ended a window itself, which reached at least as far back
  }
  return found
}

function forget(track: Track, before: number): void {
  const { signals, hot } = track
  let gone = Math.max(0, signals.length - most)
  while (gone < signals.length && (signals[gone] as Signal).at < before) gone++
  if (gone > 0) for (const signal of signals.splice(0, gone)) hot.delete(signal)
}

/**
 * Adds a signal and returns the signals that fulfil the condition because of it; signals may come in any order. Costs
 * constant time: a track holds at most `most` signals, and a signal in order looks back only as far as the condition.
 * Signals up to `late` milliseconds late are still put in their place.
 */
export function takeIn(track: Track, signal: Signal, condition: Condition, late: number): Signal[] {
  const { signals } = track
  const place = placeOf(signals, signal)
  if (place === undefined) return []
  signals.splice(place, 0, signal)
  const newest = place === signals.length - 1
  const found: Signal[] = []
  for (let end = place; end < signals.length; end++) {
    if ((signals[end] as Signal).at - signal.at > condition.within) break
    if (isReached(signals, end, condition)) found.push(...mark(track, end, condition.within, newest))
  }
  forget(track, (signals.at(-1) as Signal).at - condition.within - late)
  return found
}
