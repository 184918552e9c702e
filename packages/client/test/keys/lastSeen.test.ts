import type { OwnKeys } from '@privity/contract/keys'
import { importAccountKey, newId, randomBytes, sealPrivate } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { reencryptStorage } from '../../src/account/newKeys/reencrypt.ts'
import { contactEpochsName, seenPrefix } from '../../src/device/storageNames.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { formerKeyBinding } from '../../src/keys/aad.ts'
import { openContactEpochs, readLastSeen, saveLastSeen } from '../../src/keys/rollback.ts'
import { noPins, openPins, sealPins } from '../../src/trust/pinList.ts'

/** Two tabs of one browser. */
function createStores() {
  const device = createMemoryDevice()
  const open = () => ({ device: { ...device }, tabs: createTabs(device, () => {}) })
  return [open(), open()] as const
}

const seen = (identityKey: string, n: number) => ({ identityKey, n, createdAt: 0, startsAt: 0 })

test('what two tabs have seen of epochs and of pins is kept, also if both save at once', async () => {
  const [one, other] = createStores()
  await saveLastSeen(one, 'anna', { identityKey: 'key', epoch: 8, pins: { version: 7, sealed: '' } })
  await Promise.all([
    saveLastSeen(one, 'anna', { identityKey: 'key', epoch: 9 }),
    saveLastSeen(other, 'anna', { identityKey: 'key', pins: { version: 8, sealed: '' } }),
  ])
  expect(await readLastSeen(one.device, 'anna')).toMatchObject({ epoch: 9, pins: { version: 8 } })
})

test('what was seen of epoch, mode and pins is only raised by a late answer', async () => {
  const [one, other] = createStores()
  const newer = { identityKey: 'key', epoch: 8, mode: { onlyApproved: true, n: 3 }, pins: { version: 9, sealed: '' } }
  await saveLastSeen(one, 'anna', newer)
  const late = { identityKey: 'key', epoch: 7, mode: { onlyApproved: false, n: 2 }, pins: { version: 8, sealed: '' } }
  await saveLastSeen(other, 'anna', late)
  expect(await readLastSeen(one.device, 'anna')).toEqual(newer)
})

test('a list made from the newest one seen may have a lower number, as after a restored backup', async () => {
  const [one] = createStores()
  const pinsBefore = { version: 9, sealed: '' }
  await saveLastSeen(one, 'anna', { identityKey: 'key', epoch: 8, pins: pinsBefore })
  await saveLastSeen(one, 'anna', { pins: { version: 6, sealed: '' }, pinsBefore })
  expect(await readLastSeen(one.device, 'anna')).toMatchObject({ identityKey: 'key', pins: { version: 6 } })
})

test('what was seen of contacts under another identity key counts for that key alone', async () => {
  const [one] = createStores()
  const own = { userId: newId(0), accountKey: await importAccountKey(randomBytes(32)) }
  await (await openContactEpochs(one, own)).raise('ben', seen('former', 9))
  await (await openContactEpochs(one, own)).raise('ben', seen('current', 4))
  const later = await openContactEpochs(one, own)
  expect([later.highest('ben', 'current')?.n, later.highest('ben', 'former')?.n]).toEqual([4, undefined])
})

test('an epoch of a contact that another tab has raised higher is not lowered', async () => {
  const [one, other] = createStores()
  const own = { userId: newId(0), accountKey: await importAccountKey(randomBytes(32)) }
  const late = await openContactEpochs(other, own)
  await (await openContactEpochs(one, own)).raise('ben', seen('of ben', 9))
  await late.raise('ben', seen('of ben', 8))
  expect((await openContactEpochs(one, own)).highest('ben', 'of ben')).toMatchObject({ n: 9 })
})

/** A list that was seen under the account key of before. */
async function createFormerList() {
  const [store, other] = createStores()
  const userId = newId(0)
  const [formerRaw, raw] = [randomBytes(32), randomBytes(32)]
  const [former, accountKey] = [await importAccountKey(formerRaw), await importAccountKey(raw)]
  const sealed = await sealPins(former, userId, 7, noPins)
  await saveLastSeen(store, userId, { identityKey: 'former', epoch: 5, pins: { version: 7, sealed } })
  const wrappedFormerKey = await sealPrivate(accountKey, formerKeyBinding(userId, 5), formerRaw)
  const keys = { userId, epochs: [{ n: 5, wrappedFormerKey }] } as unknown as OwnKeys
  return { store, other, userId, former, accountKey, keys }
}

test('the list that was seen last opens under the account key that has replaced its own', async () => {
  const { store, userId, accountKey, keys } = await createFormerList()
  await reencryptStorage(store, accountKey, keys)
  const { version = 0, sealed = '' } = (await readLastSeen(store.device, userId))?.pins ?? {}
  expect(await openPins(accountKey, userId, { version, sealed })).toEqual(noPins)
})

test('a list that another tab saves while one is encrypted again under new keys is kept', async () => {
  const { store, userId, accountKey, keys } = await createFormerList()
  const newer = { identityKey: 'current', epoch: 6, pins: { version: 9, sealed: 'newer' } }
  let isSaved = false
  const get = async (name: string) => {
    const value = await store.device.get(name)
    if (name === seenPrefix(userId) && !isSaved) await saveLastSeen(store, userId, newer).then(() => (isSaved = true))
    return value
  }
  await reencryptStorage({ ...store, device: { ...store.device, get } }, accountKey, keys)
  expect([isSaved, await readLastSeen(store.device, userId)]).toEqual([true, newer])
})

test('what two tabs have seen of contacts’ epochs is kept, also if both save at once', async () => {
  const [one, other] = createStores()
  const own = { userId: newId(0), accountKey: await importAccountKey(randomBytes(32)) }
  const [first, second] = [await openContactEpochs(one, own), await openContactEpochs(other, own)]
  await Promise.all([first.raise('ben', seen('of ben', 4)), second.raise('carl', seen('of carl', 5))])
  const later = await openContactEpochs(one, own)
  expect([later.highest('ben', 'of ben')?.n, later.highest('carl', 'of carl')?.n]).toEqual([4, 5])
})

test('a tab that encrypts the storage again puts back nothing from before another tab’s writes', async () => {
  const { store, other, userId, former, accountKey, keys } = await createFormerList()
  await (await openContactEpochs(store, { userId, accountKey: former })).raise('ben', seen('of ben', 4))
  const { promise: waits, resolve: wait } = Promise.withResolvers<void>()
  const runExclusive: typeof other.tabs.runExclusive = (name, work) => {
    wait()
    return other.tabs.runExclusive(name, work)
  }
  async function openAndRaise() {
    await reencryptStorage({ ...other, tabs: { runExclusive } }, accountKey, keys)
    await (await openContactEpochs(other, { userId, accountKey })).raise('ben', seen('of ben', 9))
  }
  let opening: Promise<void> | undefined
  const get = async (name: string) => {
    const value = await store.device.get(name)
    if (name === contactEpochsName(userId)) await Promise.race([waits, (opening = openAndRaise())])
    return value
  }
  await reencryptStorage({ ...store, device: { ...store.device, get } }, accountKey, keys)
  await opening
  expect((await openContactEpochs(store, { userId, accountKey })).highest('ben', 'of ben')).toMatchObject({ n: 9 })
})

test('a tab that has the former keys for a moment longer loses nothing that was seen of contacts', async () => {
  const { store, other, userId, former, accountKey, keys } = await createFormerList()
  const late = await openContactEpochs(other, { userId, accountKey: former })
  await late.raise('ben', seen('of ben', 4))
  await reencryptStorage(store, accountKey, keys)
  await late.raise('carl', seen('of carl', 5))
  await reencryptStorage(other, accountKey, keys)
  const later = await openContactEpochs(store, { userId, accountKey })
  expect([later.highest('ben', 'of ben')?.n, later.highest('carl', 'of carl')?.n]).toEqual([4, 5])
})
