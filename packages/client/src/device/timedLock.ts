import type { Clock } from '../transport/clock.ts'
import type { Tabs } from './tabs.ts'

/** The system may freeze a tab that holds the lock: after this time the others go on without it. */
const lockTimeoutMs = 60_000

/** A lock across the tabs of this browser. `request`: shared or exclusive. */
export type TimedLock = <T>(request: Tabs['runExclusive'], work: () => Promise<T>) => Promise<T>

export function createTimedLock(clock: Pick<Clock, 'after'>, name: string): TimedLock {
  /** Number of lock requests that timed out and are still queued. Above 0, work runs without waiting for the lock. */
  let stuck = 0

  return <T>(request: Tabs['runExclusive'], work: () => Promise<T>): Promise<T> => {
    if (stuck > 0) return work()
    return new Promise((resolve, reject) => {
      let running: Promise<T> | undefined
      const start = (): Promise<T> => {
        running = work()
        running.then(resolve, reject)
        return running
      }
      let isStuck = false
      const stopTimer = clock.after(lockTimeoutMs, () => {
        isStuck = true
        stuck += 1
        void start()
      })
      const endWait = () => {
        stopTimer()
        if (isStuck) stuck -= 1
        isStuck = false
      }
      request(name, async () => {
        endWait()
        if (!running) await start()
      }).catch((error: unknown) => {
        endWait()
        reject(error as Error)
      })
    })
  }
}

/** The lock for keys across the tabs: shared for opening an account, exclusive for replacing its keys. */
export interface RotationLock {
  whileOpening<T>(work: () => Promise<T>): Promise<T>
  whileReplacing<T>(work: () => Promise<T>): Promise<T>
}

export function createRotationLock(clock: Clock, tabs: Tabs): RotationLock {
  const withLock = createTimedLock(clock, 'privity-keys')
  return {
    whileOpening: (work) => withLock(tabs.runShared, work),
    whileReplacing: (work) => withLock(tabs.runExclusive, work),
  }
}
