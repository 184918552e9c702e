import { expect, test } from 'vitest'
import { inTurns } from '../load/measure.ts'

test('each takes every turn, and none always follows the same', async () => {
  const order: string[] = []
  const results = await inTurns(['a', 'b', 'c'], 3, async (one, turn) => {
    order.push(one)
    return `${one}${turn}`
  })
  expect(order.join('')).toBe('abcbcacab')
  expect(Object.fromEntries(results)).toEqual({ a: ['a0', 'a1', 'a2'], b: ['b0', 'b1', 'b2'], c: ['c0', 'c1', 'c2'] })
})
