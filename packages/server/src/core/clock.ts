import { performance } from 'node:perf_hooks'

export type Stop = () => void

/** The only source of time. Timers never keep the process alive. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number
  /** Milliseconds of a clock that nobody sets, for durations. */
  even(): number
  every(milliseconds: number, run: () => void): Stop
  after(milliseconds: number, run: () => void): Stop
}

export const systemClock: Clock = {
  now: () => Date.now(),
  even: () => performance.now(),
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref()
    return () => clearInterval(timer)
  },
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
