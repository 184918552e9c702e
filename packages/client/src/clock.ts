/** Time and timers, so that tests need not wait. `after` gives what stops it. */
export interface Clock {
  now(): number
  after(ms: number, run: () => void): () => void
}

/** A longer delay would overflow a browser's timer and fire at once. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longest))
    return () => clearTimeout(timer)
  },
}

/** Beyond this (ms) half of the way says nothing. */
const mostElapsed = 10_000

export interface ServerClock extends Clock {
  /** Takes the server's time from an answer that took `elapsed` ms. */
  correct(serverNow: number, elapsed: number): void
}

/** The device's clock, which need not be right, set right by the server's. */
export function createServerClock(clock: Clock): ServerClock {
  let offset = 0
  return {
    now: () => clock.now() + offset,
    after: (ms, run) => clock.after(ms, run),
    correct(serverNow, elapsed) {
      // The server's time is now between these two; a device that slept meanwhile makes them far apart.
      const behind = serverNow - clock.now()
      const ahead = behind + elapsed
      if (offset < behind || offset > ahead) offset = elapsed < mostElapsed ? Math.round(behind + elapsed / 2) : behind
    },
  }
}
