import { expect, test } from 'vitest'
import { createServerClock } from '../src/clock.ts'

function at(start: number) {
  let device = start
  const clock = createServerClock({ now: () => device, after: () => () => {} })
  return { clock, pass: (milliseconds: number) => void (device += milliseconds) }
}

test('a device whose clock is wrong goes by the server, half of the way taken off', () => {
  const { clock, pass } = at(5_000_000)
  pass(200)
  clock.correct(1_000_000, 200)
  expect(clock.now()).toBe(1_000_100)
})

test('a device whose clock is right keeps it, however slow the answer', () => {
  const { clock, pass } = at(1_000_000)
  pass(3_000)
  clock.correct(1_000_500, 3_000)
  expect(clock.now()).toBe(1_003_000)
})

test('a device that slept while the answer was on its way does not jump ahead', () => {
  const { clock, pass } = at(1_000_000)
  clock.correct(1_000_000, 0)
  pass(12 * 60 * 60 * 1000)
  clock.correct(1_000_010, 12 * 60 * 60 * 1000)
  expect(clock.now()).toBe(1_000_000 + 12 * 60 * 60 * 1000)
})
