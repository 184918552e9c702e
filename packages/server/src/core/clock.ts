export type Stop = () => void

/** The only source of time. `now` is in milliseconds since 1970 UTC. Timers never keep the process alive. */
export interface Clock {
  now(): number
  every(milliseconds: number, run: () => void): Stop
  after(milliseconds: number, run: () => void): Stop
}

export const systemClock: Clock = {
  now: () => Date.now(),
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref()
    return () => clearInterval(timer)
  },
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
