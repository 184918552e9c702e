import { isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'

/** Seconds to wait where the server does not say how long. */
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

/** Runs calls one after the other for as long as it takes: whoever asks for a lot is told to wait now and then. */
export function createPatience(clock: Clock, signal: AbortSignal) {
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
