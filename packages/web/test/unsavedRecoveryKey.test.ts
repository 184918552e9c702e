import { beforeEach, expect, test, vi } from 'vitest'

const anna = { id: 'anna-id', username: 'Anna' }

/** As after a reload: only what the browser keeps is known. */
async function reloaded() {
  vi.resetModules()
  const { unsavedRecoveryKey } = await import('../src/core/unsavedRecoveryKey.ts')
  return unsavedRecoveryKey
}

function stubStorage(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return kept
}

beforeEach(() => () => vi.unstubAllGlobals())

test('a page that is closed over the recovery key is known when the account opens again', async () => {
  const kept = stubStorage()
  const before = await reloaded()
  before.expect('anna')
  before.opened(anna)
  const after = await reloaded()
  expect(after.isOf(anna)).toBe(true)
  expect(after.isOf({ id: 'ben-id' })).toBe(false)
  expect([...kept.values()].join()).not.toMatch(/anna\b(?!-id)/i)
})

test('so is an account whose making was never answered, once it is opened', async () => {
  stubStorage()
  ;(await reloaded()).expect('ANNA')
  const after = await reloaded()
  expect(after.isOf(anna)).toBe(false)
  after.opened({ id: 'ben-id', username: 'ben' })
  after.opened(anna)
  expect(after.isOf(anna)).toBe(true)
})

test('a key that was said to be saved, or another one made since, ends it', async () => {
  const kept = stubStorage()
  const before = await reloaded()
  before.expect('anna')
  before.opened(anna)
  const heard = vi.fn<() => void>()
  before.subscribe(heard)
  before.settle()
  expect(heard).toHaveBeenCalledOnce()
  expect((await reloaded()).isOf(anna)).toBe(false)
  expect(kept.size).toBe(0)
})

test('where the browser keeps nothing, the page goes on', async () => {
  vi.stubGlobal('localStorage', undefined)
  const closed = await reloaded()
  closed.expect('anna')
  closed.opened(anna)
  expect(closed.isOf(anna)).toBe(true)
})
