import type { Tabs } from '../../device/tabs.ts'
import { createTimedLock } from '../../device/timedLock.ts'
import type { Clock } from '../../transport/clock.ts'

/** A lock across the tabs of this browser: shared for opening an account, exclusive for replacing its keys. */
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
