import { expect, test } from 'vitest'
import { createAccountKey, importAccountKey, newId, sealPrivate } from '@privity/e2ee'
import { createTabs } from '../../src/device/tabs.ts'
import { metContactsName } from '../../src/device/storageNames.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { metContactsBinding } from '../../src/keys/aad.ts'
import { openMetContacts } from '../../src/trust/metContacts.ts'

const contact = (n: number) => ({ userId: `user-${n}`, connectionId: `connection-${n}` })

/** Two tabs of a browser in which the account was not created. */
async function openTwice() {
  const device = createMemoryDevice()
  const own = { userId: newId(1), accountKey: await importAccountKey(createAccountKey()), isNew: false }
  const open = () => openMetContacts({ device, tabs: createTabs(device, () => {}) }, own)
  return { tabs: [await open(), await open()] as const, device, ...own }
}

test('two tabs that meet contacts at the same time lose none', async () => {
  const { tabs } = await openTwice()
  const [one, other] = tabs
  await Promise.all([one.add(contact(1)), other.add(contact(2))])
  for (const tab of tabs) {
    expect(await tab.has(contact(1))).toBe(true)
    expect(await tab.has(contact(2))).toBe(true)
  }
})

test('a contact is met under the connection and the user id alone that were met together', async () => {
  const [tab] = (await openTwice()).tabs
  await tab.add(contact(1))
  await tab.add(contact(2))
  expect(await tab.has({ ...contact(1), connectionId: contact(2).connectionId })).toBe(false)
})

test('the newest 2,000 contacts are kept', async () => {
  const { tabs, device, userId, accountKey } = await openTwice()
  const [tab, other] = tabs
  const full = Array.from({ length: 2_000 }, (_, n) => `connection-${n}/user-${n}`)
  const plain = new TextEncoder().encode(JSON.stringify(full))
  await device.set(metContactsName(userId), await sealPrivate(accountKey, metContactsBinding(userId), plain))
  await tab.add(contact(2_000))
  expect(await other.has(contact(0))).toBe(false)
  expect(await other.has(contact(1))).toBe(true)
  expect(await other.has(contact(2_000))).toBe(true)
})
