import type { Clock } from './clock.ts'

const slowAnswerMs = 2_000

/** Calls `check` when a response is slow or fails: the network may be down. */
export const createMonitoredFetch =
  (fetch: typeof globalThis.fetch, clock: Clock, check: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    const stop = clock.after(slowAnswerMs, check)
    try {
      return await fetch(input, init)
    } catch (error) {
      check()
      throw error
    } finally {
      stop()
    }
  }
