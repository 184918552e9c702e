import { createHistogram, performance } from 'node:perf_hooks'

/** How late (ms) the event loop was in one reader's window, by shares of the looks at it; 0 where there were none. */
export interface LoopDelays {
  half: number
  most: number
  worst: number
}

/** One timer for all who want to know how late the event loop is: each one that ticks wakes a server that has nothing to do. */
export interface LoopDelay {
  /** Answers what has been since it was asked last; each reader has a window of its own. */
  reader(): () => LoopDelays
  stop(): void
}

/** Between two looks, ms. A loop that stands still for less may be missed, which is less than anybody is warned of. */
export const lookEvery = 50

export function watchLoopDelay(): LoopDelay {
  const windows: ReturnType<typeof createHistogram>[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const late = Math.max(0, now - last - lookEvery)
    last = now
    // In µs; a histogram takes no zero.
    for (const window of windows) window.record(1 + Math.round(late * 1_000))
  }, lookEvery)
  timer.unref()
  return {
    reader() {
      const window = createHistogram()
      windows.push(window)
      return () => {
        const lateIn = (share: number) => (window.count === 0 ? 0 : (window.percentile(share) - 1) / 1_000)
        const delays = { half: lateIn(50), most: lateIn(99), worst: lateIn(100) }
        window.reset()
        return delays
      }
    },
    stop: () => clearInterval(timer),
  }
}
