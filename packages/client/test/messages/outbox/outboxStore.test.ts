import { importAccountKey } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createMemoryDevice, type Device } from '../../../src/index.ts'
import { createOutboxStore, type StoredItem } from '../../../src/messages/outbox/outboxStore.ts'

const userId = '0198c0de-0000-7000-8000-00000000000a'

const written: StoredItem = {
  id: '0198c0de-0000-7000-8000-000000000001',
  connectionId: '0198c0de-0000-7000-8000-000000000002',
  createdAt: 0,
  body: { kind: 'text', text: 'Once' },
  state: 'waiting',
}

const refused = () => Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))

async function keepingOn(device: Device) {
  const accountKey = await importAccountKey(new Uint8Array(32))
  return createOutboxStore(device, { userId, accountKey, changed() {} })
}

test('a change that the device refused leaves the mark that another tab has made since', async () => {
  const values = createMemoryDevice()
  const device = { ...values }
  const [tab, other] = [await keepingOn(device), await keepingOn(values)]
  await tab.add(written)
  device.set = refused
  await tab.save(written.id, written)
  device.set = values.set
  const repeatableUntil = { server: 2, device: 1 }
  await other.save(written.id, { ...written, repeatableUntil })
  expect(await tab.load([])).toMatchObject([{ repeatableUntil }])
  expect(await other.find(written.id)).toMatchObject({ repeatableUntil })
})

test('a text whose write is reported as failed counts as kept if another tab has sent it', async () => {
  const values = createMemoryDevice()
  const keeping = await keepingOn({
    ...values,
    set: async (name, value) => {
      await values.set(name, value)
      await refused()
    },
    get: async (name) => {
      await values.remove(name)
      keeping.markRemovedElsewhere(written.id)
      return values.get(name)
    },
  })
  await expect(keeping.add(written)).resolves.toBeUndefined()
  expect(await keeping.load([])).toEqual([])
})
