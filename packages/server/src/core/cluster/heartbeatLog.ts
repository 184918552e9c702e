import type { Clock } from '../clock.ts'

/** When this process said what others answer by having heard it. */
export interface Asked {
  add(n: number): void
  has(n: number): boolean
  /** Whoever has heard this number lived then, or later. */
  at(n: number): number
}

/** More than are said in the time for which anything is trusted (`linkTimes` in processes.ts). */
const most = 64

export function createAsked(clock: Clock): Asked {
  const asked: { n: number; at: number }[] = []
  return {
    add(n) {
      asked.push({ n, at: clock.now() })
      if (asked.length > most) asked.shift()
    },
    has: (n) => asked.some((each) => each.n === n),
    at: (n) => asked.findLast((each) => each.n <= n)?.at ?? Number.NEGATIVE_INFINITY,
  }
}
