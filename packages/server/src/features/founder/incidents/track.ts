import type { Condition } from './rules.ts'
import { insertionIndex, type Signal } from './signals.ts'

/** The newest signals of one account or network, for one condition. */
export interface Track {
  /** Oldest first. */
  signals: Signal[]
  /** The signals among them that are part of a fulfilled condition. */
  hot: Set<Signal>
}

/** More than the rate limits let one network or account cause in any window. */
const maxSignals = 200

export const createTrack = (): Track => ({ signals: [], hot: new Set() })

const valueOf = (signal: Signal, { counts }: Condition) => (counts === 'accounts' ? signal.account : signal.network)

/** Whether the window that ends with this signal fulfils the condition. */
function isReached(signals: readonly Signal[], end: number, condition: Condition): boolean {
  const { counts, atLeast, within } = condition
  const since = (signals[end] as Signal).at - within
  if (counts === 'events') return (signals[end - atLeast + 1]?.at ?? Number.NEGATIVE_INFINITY) >= since
  const values = new Set<string>()
  for (let index = end; index >= 0 && values.size < atLeast; index--) {
    const signal = signals[index] as Signal
    if (signal.at < since) return false
    const value = valueOf(signal, condition)
    if (value !== undefined) values.add(value)
  }
  return values.size >= atLeast
}

/**
 * Marks the signals in the window that ends at `end` as hot and returns those that were not. `newest`: the signal at
 * `end` has just been added as the last one, so the search stops at the first signal that is hot already.
 */
function markHot({ signals, hot }: Track, end: number, within: number, newest: boolean): Signal[] {
  const found: Signal[] = []
  const since = (signals[end] as Signal).at - within
  for (let index = end; index >= 0; index--) {
    const signal = signals[index] as Signal
    if (signal.at < since) break
    if (!hot.has(signal)) {
      hot.add(signal)
      found.push(signal)
    } else if (newest) break // this signal ended a window itself, which reached at least as far back
  }
  return found
}

function dropOldSignals(track: Track, before: number): void {
  const { signals, hot } = track
  let dropCount = Math.max(0, signals.length - maxSignals)
  while (dropCount < signals.length && (signals[dropCount] as Signal).at < before) dropCount++
  if (dropCount > 0) for (const signal of signals.splice(0, dropCount)) hot.delete(signal)
}

/**
 * Adds a signal and returns the signals that fulfil the condition because of it. Signals may arrive in any order, up to
 * `maxLatenessMs` late. Costs constant time: a track holds at most `maxSignals`, and a signal in order looks back only
 * as far as the condition.
 */
export function addToTrack(track: Track, signal: Signal, condition: Condition, maxLatenessMs: number): Signal[] {
  const { signals } = track
  const index = insertionIndex(signals, signal)
  if (index === undefined) return []
  signals.splice(index, 0, signal)
  const newest = index === signals.length - 1
  const found: Signal[] = []
  for (let end = index; end < signals.length; end++) {
    if ((signals[end] as Signal).at - signal.at > condition.within) break
    if (isReached(signals, end, condition)) found.push(...markHot(track, end, condition.within, newest))
  }
  dropOldSignals(track, (signals.at(-1) as Signal).at - condition.within - maxLatenessMs)
  return found
}
