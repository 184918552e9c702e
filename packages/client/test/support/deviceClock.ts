import type { Clock } from '../../src/index.ts'

/** A device's clock that follows another one. Timers run when the device wakes: each that is due, once. */
export interface DeviceClock extends Clock {
  wake(): void
}

export function createDeviceClock(now: () => number): DeviceClock {
  const timers = new Set<{ due: number; run: () => void }>()
  return {
    now,
    after(milliseconds, run) {
      const timer = { due: now() + milliseconds, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    wake() {
      const due = [...timers].filter((timer) => timer.due <= now()).sort((a, b) => a.due - b.due)
      for (const timer of due) if (timers.delete(timer)) timer.run()
    },
  }
}
