import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryDevice } from '../../src/index.ts'
import { createTabs } from '../../src/device/tabs.ts'

afterEach(() => void vi.unstubAllGlobals())

test('in a browser a tab is gone when its lock is free, however it ended', async () => {
  vi.stubGlobal('window', {})
  const [one, other] = [createTabs(createMemoryDevice(), () => {}), createTabs(createMemoryDevice(), () => {})]
  expect(await one.runIfClosed(other.id, async () => 'gone')).toBeUndefined()
  other.close()
  await expect.poll(() => one.runIfClosed(other.id, async () => 'gone')).toBe('gone')
  one.close()
})

test('in a browser only one tab at a time takes over from one that is gone', async () => {
  vi.stubGlobal('window', {})
  const [one, other] = [createTabs(createMemoryDevice(), () => {}), createTabs(createMemoryDevice(), () => {})]
  const taking = Promise.withResolvers<string>()
  const first = one.runIfClosed('gone', () => taking.promise)
  expect(await other.runIfClosed('gone', async () => 'taken')).toBeUndefined()
  taking.resolve('taken')
  expect(await first).toBe('taken')
  one.close()
  other.close()
})
