import { importAccountKey, newId, randomBytes } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { openContactEpochs, readLastSeen, saveLastSeen } from '../../src/keys/rollback.ts'

/** Two tabs of one browser. */
function createStores() {
  const device = createMemoryDevice()
  const open = () => ({ device: { ...device }, tabs: createTabs(device, () => {}) })
  return [open(), open()] as const
}

test('what two tabs have seen of epochs and of pins is kept, also if both save at once', async () => {
  const [one, other] = createStores()
  await saveLastSeen(one, 'anna', { identityKey: 'key', epoch: 8, pins: { version: 7, sealed: '' } })
  await Promise.all([
    saveLastSeen(one, 'anna', { identityKey: 'key', epoch: 9 }),
    saveLastSeen(other, 'anna', { identityKey: 'key', pins: { version: 8, sealed: '' } }),
  ])
  expect(await readLastSeen(one.device, 'anna')).toMatchObject({ epoch: 9, pins: { version: 8 } })
})

test('what two tabs have seen of contacts’ epochs is kept, also if both save at once', async () => {
  const [one, other] = createStores()
  const own = { userId: newId(0), accountKey: await importAccountKey(randomBytes(32)) }
  const [first, second] = [await openContactEpochs(one, own), await openContactEpochs(other, own)]
  await Promise.all([
    first.raise('ben', { identityKey: 'of ben', n: 4 }),
    second.raise('carl', { identityKey: 'of carl', n: 5 }),
  ])
  const later = await openContactEpochs(one, own)
  expect([later.highest('ben', 'of ben'), later.highest('carl', 'of carl')]).toEqual([4, 5])
})
