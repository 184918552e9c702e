import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTaps } from '../../../src/features/landing/founderTaps.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Clicks with these pauses in ms; returns the result of each click. */
function clicks(...pauses: number[]): boolean[] {
  const tap = createTaps()
  return [
    tap(),
    ...pauses.map((pause) => {
      vi.advanceTimersByTime(pause)
      return tap()
    }),
  ]
}

test.each([0, 1999, 2000])('three clicks, each %i ms after the one before, are a triple click', (pause) => {
  expect(clicks(pause, pause)).toEqual([false, false, true])
})

test('a pause of 2001 ms begins the count again, wherever it falls', () => {
  expect(clicks(2001, 0)).toEqual([false, false, false])
  expect(clicks(0, 2001)).toEqual([false, false, false])
  expect(clicks(0, 2001, 2000, 2000)).toEqual([false, false, false, false, true])
})

test('the window runs from the previous click, not from the first', () => {
  expect(clicks(1500, 1500)).toEqual([false, false, true])
})

test('after a triple click the count begins again', () => {
  expect(clicks(0, 0, 0, 0, 0)).toEqual([false, false, true, false, false, true])
})
