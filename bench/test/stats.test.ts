import { expect, test } from 'vitest'
import { median, pool, quantile, summary } from '../load/stats.ts'

test('quantiles are values that were measured, by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  expect([0, 0.5, 0.99, 0.999, 1].map((q) => quantile(hundred, q))).toEqual([1, 50, 99, 100, 100])
  expect(summary(hundred.toReversed())).toEqual({ n: 100, p50: 50, p99: 99, p999: 100, max: 100 })
  expect(median([9, 1, 5])).toBe(5)
  expect(median([])).toBeNaN()
})

test('a pool runs no more at a time than it is wide, and keeps the order', async () => {
  let [running, most] = [0, 0]
  const results = await pool(20, 3, async (i) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => void setImmediate(resolve))
    running -= 1
    return i
  })
  expect(most).toBe(3)
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i))
})
