import { expect, test } from 'vitest'
import { loadLazily } from '../../src/transport/lazy.ts'

interface Sums {
  add(a: number, b: number): Promise<number>
}

test('the code is fetched with the first call, once', async () => {
  let loads = 0
  const sums = loadLazily<Sums>(async () => {
    loads += 1
    return { add: async (a, b) => a + b }
  })
  expect(loads).toBe(0)
  expect(await Promise.all([sums.add(1, 2), sums.add(3, 4)])).toEqual([3, 7])
  expect(loads).toBe(1)
})

test('a fetch that failed is told as being offline, and tried again with the next call', async () => {
  let fails = true
  const sums = loadLazily<Sums>(async () => {
    if (fails) throw new Error('no network')
    return { add: async (a, b) => a + b }
  })
  await expect(sums.add(1, 2)).rejects.toMatchObject({ code: 'OFFLINE', cause: { message: 'no network' } })
  fails = false
  expect(await sums.add(1, 2)).toBe(3)
})

test('a promise may resolve with the calls', async () => {
  const sums = loadLazily<Sums>(async () => ({ add: async (a, b) => a + b }))
  expect(await (await Promise.resolve(sums)).add(1, 2)).toBe(3)
})
