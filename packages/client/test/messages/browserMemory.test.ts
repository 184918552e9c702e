import { expect, test } from 'vitest'
import { importAccountKey, newId } from '@privity/e2ee'
import { createMemoryDevice } from '../../src/index.ts'
import { openBrowserMemory } from '../../src/messages/browserMemory.ts'

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
  expect(await Promise.all(ids.map(memory.expiryOf))).toEqual(ids.map(() => undefined))
  expect(reads).toBe(1)
  await memory.stop()
})
