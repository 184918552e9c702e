import type { Clock } from './clock.ts'

/**
 * After this time (ms) without being set, the clock counts as right, and dates far ahead of it as wrong. Before, the
 * machine may have started with a clock that is behind.
 */
export const steadyEnough = 60 * 60 * 1000

/** Beyond what a clock is corrected by without being set. */
const toleranceMs = 60_000

/** Returns a function that tells for how long, in milliseconds, the clock has not been set since this start. */
export function watchSteadyTime(clock: Pick<Clock, 'now' | 'even'>): () => number {
  const difference = () => clock.now() - clock.even()
  let before = difference()
  let since = clock.even()
  return () => {
    const now = difference()
    if (Math.abs(now - before) > toleranceMs) [before, since] = [now, clock.even()]
    return clock.even() - since
  }
}
