import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { importAccountKey, newId } from '@privity/e2ee'
import { createMemoryDevice } from '../../src/index.ts'
import { type MessagePlace as Place, openBrowserMemory } from '../../src/messages/browserMemory.ts'

const placeOf = (id: string): Place => ({ connectionId: 'c', mine: false, id })

test('a page of messages that were written long before has the memory read once', async () => {
  const device = createMemoryDevice()
  let reads = 0
  const memory = await openBrowserMemory({
    userId: newId(0),
    accountKey: await importAccountKey(new Uint8Array(32)),
    device: {
      ...device,
      get: (name) => {
        reads += 1
        return device.get(name)
      },
    },
    tabs: { runExclusive: async (_name, run) => run() },
    clock: { now: () => 0, after: () => () => {} },
  })
  reads = 0
  const ids = Array.from({ length: 200 }, (_, i) => newId(i))
  expect(await Promise.all(ids.map((id) => memory.expiryOf(placeOf(id))))).toEqual(ids.map(() => undefined))
  expect(reads).toBe(1)
  await memory.stop()
})

test('a browser remembers the 5,000 shown messages that expire last, for 25 hours after that', async () => {
  const device = createMemoryDevice()
  const userId = newId(0)
  const accountKey = await importAccountKey(new Uint8Array(32))
  const time = { now: 0 }
  const clock = { now: () => time.now, after: () => () => {} }
  const tabs = { runExclusive: <T>(_name: string, run: () => Promise<T>) => run() }
  const open = () => openBrowserMemory({ userId, accountKey, device, tabs, clock })
  const ids = Array.from({ length: 5_001 }, (_, i) => newId(i))
  const page = await open()
  for (const [i, id] of ids.entries()) page.recordShown(placeOf(id), i)
  await page.stop()
  const loaded = await open()
  const [first, second, last] = [0, 1, 5_000].map((at) => placeOf(ids[at] as string)) as [Place, Place, Place]
  expect(await Promise.all([first, second, last].map(loaded.expiryOf))).toEqual([undefined, 1, 5_000])
  time.now = limits.retention + 60 * 60 * 1000 + 5_000
  loaded.recordShown(placeOf(newId(0)), time.now)
  await loaded.stop()
  const later = await open()
  expect([await later.expiryOf(placeOf(ids[4_999] as string)), await later.expiryOf(last)]).toEqual([undefined, 5_000])
})
