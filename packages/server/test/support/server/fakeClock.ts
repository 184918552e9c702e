import type { Clock } from '../../../src/core/clock.ts'

export const startOfTests = Date.UTC(2026, 0, 15, 12)

export interface FakeClock extends Clock {
  /**
   * Advances time, running due timers in order. A repeating timer runs once, at its last due time, as on a machine that
   * slept meanwhile.
   */
  advance(milliseconds: number): void
  /** Error of `now` in milliseconds. Timers continue evenly, as when a system's clock is set. */
  ahead: number
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
