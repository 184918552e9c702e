import type { Clock } from '../../../src/core/clock.ts'

export const startOfTests = Date.UTC(2026, 0, 15, 12)

export interface FakeClock extends Clock {
  /**
   * Moves time on, running what falls due on the way in the order it is due. What repeats runs once,
   * at the last time it was due: like on a machine that slept in between.
   */
  advance(milliseconds: number): void
  /** How wrong `now` is (ms). Timers go on evenly, as on a system whose clock is set. */
  ahead: number
  /** The right time. */
  even(): number
}

interface Timer {
  due: number
  every: number | undefined
  run: () => void
}

export function createFakeClock(start = startOfTests): FakeClock {
  let now = start
  const timers = new Set<Timer>()
  const add = (timer: Timer) => {
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  function lastDue({ due, every }: Timer, end: number): number {
    return every === undefined || due > end ? due : due + Math.floor((end - due) / every) * every
  }

  const nextDue = (end: number) =>
    [...timers].filter(({ due }) => due <= end).sort((one, other) => lastDue(one, end) - lastDue(other, end))[0]

  const clock: FakeClock = {
    ahead: 0,
    now: () => now + clock.ahead,
    even: () => now,
    every: (milliseconds, run) => add({ due: now + milliseconds, every: milliseconds, run }),
    after: (milliseconds, run) => add({ due: now + milliseconds, every: undefined, run }),
    advance(milliseconds) {
      const end = now + milliseconds
      for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
        now = Math.max(now, lastDue(timer, end))
        if (timer.every === undefined) timers.delete(timer)
        else timer.due = now + timer.every
        timer.run()
      }
      now = end
    },
  }
  return clock
}
