import type { Clock } from '../clock.ts'

/** Send times of this process's own messages that peers acknowledge, by sequence number. */
export interface Asked {
  add(n: number): void
  has(n: number): boolean
  /** A process that acknowledged `n` was alive at or after this time. */
  at(n: number): number
}

/** Entries kept: more than are sent in the time for which anything is trusted (`linkTimes` in cluster.ts). */
const most = 64

export function createHeartbeatLog(clock: Clock): Asked {
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
