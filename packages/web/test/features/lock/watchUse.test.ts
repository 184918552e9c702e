import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timeToLock, writeLockAfter } from '../../../src/app/lockTime.ts'
import { watchUse } from '../../../src/features/lock/watchUse.ts'

const minute = 60_000
let stop = () => {}

/** The storage that the tabs of a browser share. */
const stored = new Map<string, string>()

beforeEach(() => {
  vi.useFakeTimers()
  stored.clear()
  const page = new EventTarget()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
})

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function watch(isBusy = () => false) {
  const lock = vi.fn()
  const ends = [stop, watchUse(lock, isBusy)]
  stop = () => {
    for (const end of ends) end()
  }
  return lock
}

test('locks after the chosen minutes without use', () => {
  writeLockAfter(5)
  const lock = watch()
  vi.advanceTimersByTime(5 * minute - 1)
  expect(lock).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(lock).toHaveBeenCalledOnce()
})

test('never locks unless chosen', () => {
  const lock = watch()
  vi.advanceTimersByTime(7 * 24 * 60 * minute)
  expect(lock).not.toHaveBeenCalled()
})

test('use puts the lock off', () => {
  writeLockAfter(1)
  const lock = watch()
  vi.advanceTimersByTime(50_000)
  dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(50_000)
  expect(lock).not.toHaveBeenCalled()
})

test('use of another tab puts the lock off', () => {
  writeLockAfter(1)
  const [first, second] = [watch(), watch()]
  vi.advanceTimersByTime(50_000)
  dispatchEvent(new Event('pointerdown'))
  vi.advanceTimersByTime(59_000)
  expect(first).not.toHaveBeenCalled()
  expect(second).not.toHaveBeenCalled()
})

test('use after the time has passed locks instead of counting, as after a sleep', () => {
  writeLockAfter(1)
  const lock = watch()
  vi.setSystemTime(Date.now() + 10 * minute)
  dispatchEvent(new Event('pointermove'))
  expect(lock).toHaveBeenCalled()
})

test('a clock that is put back by weeks locks later by no more than the chosen minutes', () => {
  writeLockAfter(5)
  const lock = watch()
  vi.advanceTimersByTime(4 * minute)
  vi.setSystemTime(Date.now() - 30 * 24 * 60 * minute)
  vi.advanceTimersByTime(6 * minute - 1)
  expect(lock).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(lock).toHaveBeenCalledOnce()
})

test('a running transfer counts as use', () => {
  writeLockAfter(1)
  let isBusy = true
  const lock = watch(() => isBusy)
  vi.advanceTimersByTime(10 * minute)
  expect(lock).not.toHaveBeenCalled()
  isBusy = false
  vi.advanceTimersByTime(minute)
  expect(lock).toHaveBeenCalled()
})

test('a page that is opened too late finds the lock due', () => {
  writeLockAfter(1)
  watch()
  stop()
  vi.advanceTimersByTime(minute)
  expect(timeToLock()).toBeLessThanOrEqual(0)
})
