import { isCallError } from '../transport/callError.ts'
import type { ServerClock } from '../transport/serverClock.ts'

/** After a refusal, work that nobody waits for is tried again after this time. */
const retryDelayMs = 60_000

/** Work that runs once at a time. */
export interface SingleRun {
  /** Resolves with the run under way, or with a new one. */
  run(): Promise<void>
  /** Does nothing for a minute after a refusal. */
  runInBackground(): void
  /** Resolves when nothing runs. */
  settled(): Promise<void>
}

export function createSingleRun(clock: Pick<ServerClock, 'now' | 'synchronize'>, work: () => Promise<void>): SingleRun {
  let running: Promise<void> | undefined
  let notBefore = -Infinity

  /** Works once more with a corrected clock if the server found a time wrong. */
  async function attempt(): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isCallError(error, 'INVALID_INPUT')) throw error
      await clock.synchronize()
      await work()
    }
  }

  function run(): Promise<void> {
    running ??= attempt()
      .catch((error: unknown) => {
        notBefore = clock.now() + retryDelayMs
        throw error
      })
      .finally(() => (running = undefined))
    return running
  }

  return {
    run,
    runInBackground() {
      if (clock.now() >= notBefore) void run().catch(() => {})
    },
    settled: async () => running?.catch(() => {}),
  }
}
