import { isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'

/** Seconds to wait if the server names no time. */
const usual = 5

function pause(clock: Clock, seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = clock.after(seconds * 1000, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    function stop(): void {
      end()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
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
        await pause(clock, error.retryAfter ?? usual, signal)
      }
    }
  }
}
