import { expect, test } from 'vitest'
import { keys } from '@privity/contract/keys'
import { signPinList } from '@privity/e2ee'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { openPins, type Pin, type PinList, sealPins } from '../../src/trust/pinList.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { markVerified, replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, meetContacts, next, type Person, reaches, type Stage, texts } from '../support/stage.ts'

const loadPins = async ({ client }: Person) => (await client.call(keys.getOwn, { query: {} })).pins

/** Anna in two browsers that know the same list, after `prepare` has set the state of Ben. */
async function twoBrowsers(stage: Stage, prepare: (anna: Person, connectionId: string) => Promise<void>) {
  const pair = await stage.pair()
  const { anna, connectionId } = pair
  const carl = await stage.signUp('carl')
  await anna.client.connections.list()
  await anna.client.trust.state(connectionId)
  await prepare(anna, connectionId)
  const other = await stage.signIn(anna)
  await meetContacts(other)
  // No notice tells it that the list has changed.
  other.network.swallows = true
  return { ...pair, carl, other }
}

/** Has the server forget what `change` did to Anna's list before the other browser accepts Carl's key. */
async function fork(stage: Stage, people: { anna: Person; other: Person; carl: Person }, change: () => Promise<void>) {
  const { anna, other, carl } = people
  const { version, sealed } = await loadPins(anna)
  anna.network.swallows = true
  await change()
  await stage.server.core.db.write((tx) =>
    tx.run('update users set pins_version = ?, pins = ? where id = ?', [version, sealed, anna.user.id]),
  )
  const { id } = await stage.connect(other, carl)
  await other.client.trust.state(id)
  await markVerified(other, id)
  return id
}

async function showList(anna: Person): Promise<void> {
  anna.network.swallows = false
  const shown = next(anna, 'trust_changed')
  anna.network.inject(JSON.stringify({ type: 'pins_changed' }))
  await shown
}

test('a list that another browser made without a pause does not end it', async () => {
  await using stage = await createStage()
  const people = await twoBrowsers(stage, async () => {})
  const { anna, ben, connectionId } = people
  const alarms = collect(anna, 'alarm')
  const withCarl = await fork(stage, people, () => anna.client.trust.pause(connectionId))
  await showList(anna)
  expect(alarms).toMatchObject([{ code: 'ACCEPTED_OTHER' }])
  expect((await anna.client.trust.state(connectionId)).paused).toBe(true)
  await anna.client.messages.send(connectionId, 'Not for you')
  const [failed] = await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/paused/)
  expect(await texts(ben, connectionId)).toEqual([])

  // And both changes reach every other browser.
  const third = await stage.signIn(anna)
  expect((await third.client.trust.state(connectionId)).paused).toBe(true)
  expect((await third.client.trust.state(withCarl)).state).toBe('verified')
})

test('a list that another browser made before a verification was taken back does not restore it', async () => {
  await using stage = await createStage()
  const people = await twoBrowsers(stage, markVerified)
  const { anna, connectionId } = people
  const alarms = collect(anna, 'alarm')
  await fork(stage, people, () => anna.client.trust.unverify(connectionId))
  await showList(anna)
  expect(alarms).toMatchObject([{ code: 'ACCEPTED_OTHER' }])
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')
  const third = await stage.signIn(anna)
  expect((await third.client.trust.state(connectionId)).state).toBe('unverified')
})

test('a browser that was away for many changes follows them without an alarm', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await markVerified(anna, connectionId)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await elsewhere.client.trust.pause(connectionId)
  const { device } = elsewhere
  elsewhere.client.close()
  for (let change = 0; change < 10; change++) {
    await anna.client.trust.resume(connectionId)
    await markVerified(anna, connectionId)
  }
  const back = stage.tab({ ...elsewhere, device })
  const alarms = collect(back, 'alarm')
  await back.client.account.start()
  expect(await back.client.trust.state(connectionId)).toMatchObject({ state: 'verified', paused: false })
  expect(alarms).toEqual([])
})

/** Puts a list with another pin of this contact, as a thief of the account key could. */
async function putPin(anna: Person, contact: string, change: Partial<Pin>): Promise<void> {
  const accountKey = await accountKeyOf(anna)
  const own = await anna.client.call(keys.getOwn, { query: {} })
  const { pins, parties } = await openPins(accountKey, anna.user.id, own.pins)
  const list: PinList = { parties, pins: { ...pins, [contact]: { ...(pins[contact] as Pin), ...change } } }
  const version = own.pins.version + 1
  const sealed = await sealPins(accountKey, anna.user.id, version, list)
  const { identity } = await openIdentity(accountKey, own)
  const signature = await signPinList(identity, { userId: anna.user.id, version, sealed })
  await anna.client.call(keys.putPins, { body: { version, sealed, signature } })
}

test('a verification that a thief of the account key has dated ahead does not survive new keys', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const elsewhere = await stage.signIn(anna)
  const told = next(elsewhere, 'trust_changed')
  await putPin(anna, ben.user.id, { verified: true, verifiedAt: Number.MAX_SAFE_INTEGER })
  await told
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('verified')
  elsewhere.client.close()
  await replaceKeys(anna)
  const alarms = collect(elsewhere, 'alarm')
  await elsewhere.client.account.signIn(anna)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('unverified')
  expect(alarms).toEqual([])
})
