import type { Deterred } from './triggers.ts'

/** One kind at most once in this time (ms): a held key, or Ctrl+P followed by the print dialog, is one event. */
const apart = 1_000
const minute = 60_000
const mostAMinute = 10

interface Kind {
  taken: number[]
  /** How many were left out since the last that was taken. */
  leftOut: number
}

/** `repeated`: the same attempt as the one just reported. `tooMany`: only counted, for the next report of its kind. */
export type Taken = { leftOut: number } | 'repeated' | 'tooMany'

/** Decides which events are reported, and how many of a kind were left out before one that is. */
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
