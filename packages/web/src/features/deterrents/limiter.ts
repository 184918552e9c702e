import type { Deterred } from './triggers.ts'

/** Minimum interval in ms between events of a kind: a held key, or Ctrl+P and the print dialog, is one event. */
const apart = 1_000
const minute = 60_000
const mostAMinute = 10

interface Kind {
  taken: number[]
  /** Number of events skipped since the last reported one. */
  leftOut: number
}

/** `repeated`: same attempt as the last reported event. `tooMany`: counted for the next report of its kind. */
export type Taken = { leftOut: number } | 'repeated' | 'tooMany'

/** Limits reports per kind, and returns how many were skipped before each report. */
export function createLimiter(now: () => number): (kind: Deterred) => Taken {
  const kinds = new Map<Deterred, Kind>()
  return (name) => {
    const at = now()
    const kind = kinds.get(name) ?? { taken: [], leftOut: 0 }
    kinds.set(name, kind)
    kind.taken = kind.taken.filter((time) => at - time < minute)
    if (at - (kind.taken.at(-1) ?? Number.NEGATIVE_INFINITY) < apart) return 'repeated'
    if (kind.taken.length >= mostAMinute) {
      kind.leftOut += 1
      return 'tooMany'
    }
    kind.taken.push(at)
    const { leftOut } = kind
    kind.leftOut = 0
    return { leftOut }
  }
}
