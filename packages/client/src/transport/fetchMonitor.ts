import type { Clock } from './clock.ts'

/** In milliseconds. */
const slowAnswer = 2_000

/** Fetches, and calls `check` when an answer is slow or does not come: the network may be gone. */
export const createCheckingFetch =
  (fetch: typeof globalThis.fetch, clock: Clock, check: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    const stop = clock.after(slowAnswer, check)
    try {
      return await fetch(input, init)
    } catch (error) {
      check()
      throw error
    } finally {
      stop()
    }
  }
