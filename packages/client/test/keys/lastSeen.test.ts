import { expect, test } from 'vitest'
import { createMemoryDevice } from '../../src/index.ts'
import { readLastSeen, saveLastSeen } from '../../src/keys/rollback.ts'

test('what this browser has seen of epochs and of pins is kept, also if both are saved at once', async () => {
  const device = createMemoryDevice()
  await saveLastSeen(device, 'anna', { identityKey: 'key', epoch: 8, pins: { version: 7, sealed: '' } })
  await Promise.all([
    saveLastSeen(device, 'anna', { identityKey: 'key', epoch: 9 }),
    saveLastSeen(device, 'anna', { identityKey: 'key', pins: { version: 8, sealed: '' } }),
  ])
  expect(await readLastSeen(device, 'anna')).toMatchObject({ epoch: 9, pins: { version: 8 } })
})
