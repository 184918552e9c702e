import { afterEach, expect, test, vi } from 'vitest'
import { loadLazily } from '../../src/transport/lazy.ts'

afterEach(() => vi.unstubAllGlobals())

const failing = () =>
  loadLazily<Sums>(async () => {
    throw new Error('no such file')
  })
const serverAnswers = (status: number) => vi.stubGlobal('fetch', async () => new Response(null, { status }))

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

test('code that a server without it cannot give asks for a reload', async () => {
  serverAnswers(200)
  await expect(failing().add(1, 2)).rejects.toMatchObject({
    code: 'CODE_GONE',
    sentence: expect.stringContaining('Reload the page'),
  })
})

test('code that cannot be loaded while a proxy answers for the server counts as offline', async () => {
  serverAnswers(502)
  await expect(failing().add(1, 2)).rejects.toMatchObject({ code: 'OFFLINE' })
})
