import type { Clock } from '../../transport/clock.ts'
import type { Tabs } from '../../device/tabs.ts'

/** Over all tabs of this browser: accounts are opened together, and keys are replaced while no tab opens one. */
export interface KeysLock {
  whileOpening<T>(work: () => Promise<T>): Promise<T>
  whileReplacing<T>(work: () => Promise<T>): Promise<T>
}

const name = 'privity-keys'
/** The system may freeze a tab that holds the lock: after this time (ms) the others go on without it. */
const patience = 60_000

export function createKeysLock(clock: Clock, tabs: Tabs): KeysLock {
  /** Requests of this tab that are still in the line of a lock that a frozen tab holds. */
  let stuck = 0

  function within<T>(request: Tabs['alone'], work: () => Promise<T>): Promise<T> {
    if (stuck > 0) return work()
    return new Promise((resolve, reject) => {
      let begun: Promise<T> | undefined
      const begin = (): Promise<T> => {
        begun = work()
        begun.then(resolve, reject)
        return begun
      }
      const stopTimer = clock.after(patience, () => {
        stuck += 1
        void begin()
      })
      request(name, async () => {
        stopTimer()
        if (begun) stuck -= 1
        else await begin()
      }).catch(reject)
    })
  }

  return {
    whileOpening: (work) => within(tabs.together, work),
    whileReplacing: (work) => within(tabs.alone, work),
  }
}
