import { createHistogram, performance } from 'node:perf_hooks'

/** Delays (ms) of the event loop in one reader's window: median, 99th percentile and maximum; 0 without samples. */
export interface EventLoopDelays {
  median: number
  p99: number
  max: number
}

/** Measures how late the event loop is. All readers share one timer, because each timer wakes an idle server. */
export interface LoopDelay {
  /** Returns a function that returns the delays since its last call; each reader has a window of its own. */
  reader(): () => EventLoopDelays
  stop(): void
}

/** Sampling interval, ms. A shorter delay may be missed, but no warning concerns one so short. */
export const sampleIntervalMs = 50

export function watchLoopDelay(): LoopDelay {
  const windows: ReturnType<typeof createHistogram>[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const late = Math.max(0, now - last - sampleIntervalMs)
    last = now
    // In µs; a histogram does not accept zero.
    for (const window of windows) window.record(1 + Math.round(late * 1_000))
  }, sampleIntervalMs)
  timer.unref()
  return {
    reader() {
      const window = createHistogram()
      windows.push(window)
      return () => {
        const lateIn = (share: number) => (window.count === 0 ? 0 : (window.percentile(share) - 1) / 1_000)
        const delays = { median: lateIn(50), p99: lateIn(99), max: lateIn(100) }
        window.reset()
        return delays
      }
    },
    stop: () => clearInterval(timer),
  }
}
