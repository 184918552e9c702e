/** Time and timers, so that tests need not wait. `after` gives what stops it. */
export interface Clock {
  now(): number
  /** Goes on evenly whatever the clock is set to, from anywhere (ms); without it `now` counts as even. */
  steady?(): number
  after(ms: number, run: () => void): () => void
}

/** A longer delay would overflow a browser's timer and fire at once. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longest))
    return () => clearTimeout(timer)
  },
}
