/** Time and timers, replaceable in tests. `after` returns a function that cancels the timer. */
export interface Clock {
  now(): number
  /** A monotonic time (ms) that setting the wall clock does not change. Without it `now` is used. */
  steady?(): number
  after(ms: number, run: () => void): () => void
}

/** A longer delay would overflow a browser's timer and fire at once. */
const maxDelayMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), maxDelayMs))
    return () => clearTimeout(timer)
  },
}
