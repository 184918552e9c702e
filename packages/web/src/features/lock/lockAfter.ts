import { createStore } from '@privity/client/store'
import { readLockAfter, writeLockAfter } from '../../app/lockTime.ts'

/** Minutes without use after which this browser locks, in all its tabs; 0: never. */
export const lockAfter = createStore(readLockAfter())

export function setLockAfter(minutes: number): void {
  writeLockAfter(minutes)
  lockAfter.set(minutes)
}

addEventListener('storage', () => lockAfter.set(readLockAfter()))
