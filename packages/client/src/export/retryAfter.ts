import { isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'

/** Seconds to wait if the server names no time. */
const defaultDelaySeconds = 5

function pause(clock: Clock, seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = clock.after(seconds * 1000, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    function onAbort(): void {
      stopTimer()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Runs a call until the rate limit allows it: a large export exceeds the limit now and then. */
export function createRetryAfter(clock: Clock, signal: AbortSignal) {
  return async <T>(run: () => Promise<T>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted()
      try {
        return await run()
      } catch (error) {
        if (!isCallError(error, 'RATE_LIMITED')) throw error
        await pause(clock, error.retryAfter ?? defaultDelaySeconds, signal)
      }
    }
  }
}
