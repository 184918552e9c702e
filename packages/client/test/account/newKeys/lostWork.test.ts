import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import { removeLostWork } from '../../../src/account/newKeys/lostWork.ts'
import { draftPrefix, outboxPrefix } from '../../../src/device/storageNames.ts'
import { openIdentity } from '../../../src/keys/ownIdentity.ts'
import { CallError } from '../../../src/transport/callError.ts'
import { accountKeyOf } from '../../support/accountKey.ts'
import { browserListed } from '../../support/browsers.ts'
import { replaceKeys } from '../../support/keyRotation.ts'
import {
  collect,
  connected,
  createStage,
  meetContacts,
  type Person,
  type Stage,
  textOf,
  texts,
} from '../../support/stage.ts'

const hour = 60 * 60 * 1000

/** Anna has made new keys in one browser; in another, without a network, she has written `hours` later. */
async function writeElsewhere(stage: Stage, hours: number) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  const away = await stage.signIn(anna)
  await meetContacts(away)
  await browserListed(away)
  await connected(away)
  away.network.offline = true
  await replaceKeys(anna)
  const told = collect(away, 'work_lost')
  // An open browser publishes epochs meanwhile.
  for (let passed = 0; passed < hours; passed++) await stage.advance(hour)
  await away.client.drafts.set(connectionId, 'A draft')
  await away.client.messages.send(connectionId, 'Written on the plane')
  return { anna, ben, connectionId, away, told }
}

/** Finds the network again, which ends the session of the former keys, and signs in with the new ones. */
async function comeBack(stage: Stage, away: Person, { username, password }: Person): Promise<void> {
  const ended = collect(away, 'signed_out')
  away.network.offline = false
  const untilEnded = async () => {
    await stage.advance(10_000)
    return ended.length
  }
  await expect.poll(untilEnded, { timeout: 20_000 }).toBe(1)
  await away.client.account.signIn({ username, password })
}

const namesOf = async ({ device, user }: Person) => [
  ...(await device.names(outboxPrefix(user.id))),
  ...(await device.names(draftPrefix(user.id))),
]

/** The keys that this browser has opened. */
async function ownOf(person: Person) {
  const accountKey = await accountKeyOf(person)
  return {
    userId: person.user.id,
    accountKey,
    ...(await openIdentity(accountKey, await person.client.call(keys.getOwn, { query: {} }))),
  }
}

const noLocks = { runExclusive: <T>(_name: string, work: () => Promise<T>) => work() }

test('unsent text that no key opens any more is removed, and told once with its number', async () => {
  await using stage = await createStage()
  const { anna, away, told } = await writeElsewhere(stage, 35)
  await comeBack(stage, away, anna)
  await expect.poll(() => told).toEqual([{ count: 2 }])
  expect(await namesOf(away)).toEqual([])
  expect(await away.client.unsent()).toEqual({ outgoing: false, drafts: false })
  await away.client.account.lock()
  await away.client.account.unlock(anna.password)
  expect(told).toHaveLength(1)
})

test('unsent text that the former keys still open is kept, and nothing is told', async () => {
  await using stage = await createStage()
  const { anna, connectionId, away, told } = await writeElsewhere(stage, 20)
  await comeBack(stage, away, anna)
  expect(await away.client.drafts.get(connectionId)).toBe('A draft')
  const waiting = away.client.outbox.get().map(textOf)
  expect([...waiting, ...(await texts(away, connectionId))]).toContain('Written on the plane')
  expect(told).toEqual([])
})

test('while an epoch of the former keys lives, what does not open stays', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  await replaceKeys(anna)
  const name = `${outboxPrefix(anna.user.id)}not-opened`
  await anna.device.set(name, 'not-opened')
  const deps = { call: anna.client.call, device: anna.device, tabs: noLocks }
  expect(await removeLostWork(deps, await ownOf(anna))).toBe(0)
  expect(await anna.device.get(name)).toBe('not-opened')
})

test('unsent text of another member of this browser stays', async () => {
  await using stage = await createStage()
  const { anna, ben, away, told } = await writeElsewhere(stage, 35)
  const name = `${outboxPrefix(ben.user.id)}of-ben`
  await away.device.set(name, 'sealed for Ben')
  await comeBack(stage, away, anna)
  await expect.poll(() => told).toEqual([{ count: 2 }])
  expect(await away.device.get(name)).toBe('sealed for Ben')
})

test('while the server cannot be asked, what does not open stays', async () => {
  await using stage = await createStage()
  const { anna, away, told } = await writeElsewhere(stage, 35)
  const deps = { call: () => Promise.reject(new CallError('OFFLINE')), device: away.device, tabs: noLocks }
  await expect(removeLostWork(deps, await ownOf(anna))).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(await namesOf(away)).toHaveLength(2)
  expect(told).toEqual([])
})

test('a tab that still has former keys removes nothing that is encrypted under later ones', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await replaceKeys(anna)
  const former = await ownOf(anna)
  await replaceKeys(anna, 'yet another password')
  for (let passed = 0; passed < 35; passed++) await stage.advance(hour)
  const { call } = anna.client
  await anna.client.drafts.set(connectionId, 'Under the newest keys')
  const deps = { call, device: anna.device, tabs: noLocks }
  await expect(removeLostWork(deps, former)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect(await anna.client.drafts.get(connectionId)).toBe('Under the newest keys')
})
