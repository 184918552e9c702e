import type { Clock } from '../../transport/clock.ts'
import type { Tabs } from '../../device/tabs.ts'

/** A lock across the tabs of this browser: shared for opening an account, exclusive for replacing its keys. */
export interface RotationLock {
  whileOpening<T>(work: () => Promise<T>): Promise<T>
  whileReplacing<T>(work: () => Promise<T>): Promise<T>
}

const name = 'privity-keys'
/** The system may freeze a tab that holds the lock: after this time the others go on without it. */
const lockTimeoutMs = 60_000

export function createRotationLock(clock: Clock, tabs: Tabs): RotationLock {
  /** Number of lock requests that timed out and are still queued. Above 0, work runs without waiting for the lock. */
  let stuck = 0

  function withLock<T>(request: Tabs['runExclusive'], work: () => Promise<T>): Promise<T> {
    if (stuck > 0) return work()
    return new Promise((resolve, reject) => {
      let running: Promise<T> | undefined
      const start = (): Promise<T> => {
        running = work()
        running.then(resolve, reject)
        return running
      }
      const stopTimer = clock.after(lockTimeoutMs, () => {
        stuck += 1
        void start()
      })
      request(name, async () => {
        stopTimer()
        if (running) stuck -= 1
        else await start()
      }).catch(reject)
    })
  }

  return {
    whileOpening: (work) => withLock(tabs.runShared, work),
    whileReplacing: (work) => withLock(tabs.runExclusive, work),
  }
}
