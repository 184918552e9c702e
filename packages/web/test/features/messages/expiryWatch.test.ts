import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextExpiry, watchMoment } from '../../../src/features/messages/message/useExpiryFade.ts'

const hour = 3_600_000
/** Server time passed while the device slept; timers do not count it. */
let slept = 0
const now = () => Date.now() + slept

beforeEach(() => {
  slept = 0
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watch(at: number) {
  const reached = vi.fn<() => void>()
  return { reached, stop: watchMoment({ at, now, reached }) }
}

test('a moment is told when it comes, to the millisecond, and once', () => {
  const { reached } = watch(10 * hour + 1)
  vi.advanceTimersByTime(10 * hour)
  expect(reached).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  vi.advanceTimersByTime(hour)
  expect(reached).toHaveBeenCalledTimes(1)
})

test.each([
  ['document', 'visibilitychange'],
  ['document', 'resume'],
  ['window', 'focus'],
  ['window', 'pageshow'],
] as const)('what came while the device slept is told at %s %s', (target, type) => {
  const { reached } = watch(10 * hour)
  slept = 11 * hour
  globalThis[target].dispatchEvent(new Event(type))
  globalThis[target].dispatchEvent(new Event(type))
  expect(reached).toHaveBeenCalledTimes(1)
})

test('and within a minute where nothing says that it woke', () => {
  const { reached } = watch(10 * hour)
  slept = 11 * hour
  vi.advanceTimersByTime(60_000)
  expect(reached).toHaveBeenCalledTimes(1)
})

test('what is not watched any more is not told', () => {
  const { reached, stop } = watch(1_000)
  stop()
  vi.advanceTimersByTime(hour)
  window.dispatchEvent(new Event('focus'))
  expect(reached).not.toHaveBeenCalled()
})

test('the earliest end is watched, also where a shorter life came later', () => {
  const messages = [24, 1, 8].map((hours) => ({ expiresAt: hours * hour }))
  expect([0, hour, 8 * hour, 24 * hour].map((at) => nextExpiry(messages, at))).toEqual([
    hour,
    8 * hour,
    24 * hour,
    undefined,
  ])
})
