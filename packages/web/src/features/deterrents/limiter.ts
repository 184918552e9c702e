import type { Deterred } from './deterred.ts'

/** One kind at most once in this time (ms): a held key, or Ctrl+P followed by the print dialog, is one event. */
const apart = 1_000
const minute = 60_000
const mostAMinute = 10

interface Kind {
  taken: number[]
  /** How many were left out since the last that was taken. */
  leftOut: number
}

/** Decides which events are reported; `undefined` for one that is left out, else how many were before it. */
export function createLimiter(now: () => number): (kind: Deterred) => number | undefined {
  const kinds = new Map<Deterred, Kind>()
  return (name) => {
    const at = now()
    const kind = kinds.get(name) ?? { taken: [], leftOut: 0 }
    kinds.set(name, kind)
    kind.taken = kind.taken.filter((time) => at - time < minute)
    if (at - (kind.taken.at(-1) ?? Number.NEGATIVE_INFINITY) < apart) return undefined
    if (kind.taken.length >= mostAMinute) {
      kind.leftOut += 1
      return undefined
    }
    kind.taken.push(at)
    const { leftOut } = kind
    kind.leftOut = 0
    return leftOut
  }
}
