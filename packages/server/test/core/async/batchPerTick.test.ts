import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTick } from '../../../src/core/async/batches.ts'

test('a few are given on together before the turn goes on', async () => {
  const order: string[] = []
  const give = batchPerTick<string>((all) => order.push(all.join('')))
  for (const one of 'abcd') give(one)
  expect(order).toEqual([])
  await Promise.resolve()
  order.push('answered')
  give('e')
  await nextTurn()
  expect(order).toEqual(['abcd', 'answered', 'e'])
})

test('of more all are waited for that come in the turn', async () => {
  const order: string[] = []
  const give = batchPerTick<string>((all) => order.push(all.join('')))
  for (const one of 'abcde') give(one)
  await Promise.resolve()
  order.push('answered')
  give('f')
  await nextTurn()
  expect(order).toEqual(['answered', 'abcdef'])
})
