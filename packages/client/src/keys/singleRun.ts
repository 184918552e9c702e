import type { Clock } from '../transport/clock.ts'

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

export function createSingleRun(
  clock: Pick<Clock, 'now'>,
  work: () => Promise<void>,
  onRefused: (error: unknown) => void,
): SingleRun {
  let running: Promise<void> | undefined
  let notBefore = -Infinity

  function run(): Promise<void> {
    running ??= work()
      .catch((error: unknown) => {
        notBefore = clock.now() + retryDelayMs
        onRefused(error)
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
