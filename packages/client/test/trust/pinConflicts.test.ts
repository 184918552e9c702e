import { expect, test } from 'vitest'
import { connections } from '@privity/contract/connections'
import { type OwnKeys, keys, pinListLength } from '@privity/contract/keys'
import { createEpoch, createIdentity, importIdentity, signPinList } from '@privity/e2ee'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { openPins, sealPins } from '../../src/trust/pinList.ts'
import type { StoredPins } from '../../src/keys/rollback.ts'
import {
  collect,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  type Tab,
} from '../support/stage.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { markVerified } from '../support/keyRotation.ts'

/** Keys of the attacker's own under the name of `person`. */
async function falseKeysOf({ server }: Stage, { user }: Person) {
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({
    identity,
    userId: user.id,
    n: 1,
    createdAt: server.clock.now(),
    startsAt: server.clock.now(),
  })
  return { userId: user.id, identityKey: identity.publicKey, former: [], epoch }
}
type FalseKeys = Awaited<ReturnType<typeof falseKeysOf>>

/** As a server that shows false keys of one contact wherever it shows keys. */
const lying = (connectionId: string, given: FalseKeys) => (request: string, answer: unknown) => {
  if (request === `GET /api/connections/${connectionId}/keys`) return given
  if (!Array.isArray(answer)) return answer
  return answer.map((each: { connectionId?: string }) => {
    if (each.connectionId !== connectionId) return each
    if ('keys' in each) return { ...each, keys: given }
    return 'identityKey' in each ? { ...each, identityKey: given.identityKey } : each
  })
}

const pinsPut = ({ network }: Tab) =>
  network.requests
    .filter(({ request }) => request === 'PUT /api/keys/pins')
    .map(({ body }) => JSON.parse(body) as StoredPins)

/** Creates Anna, who has verified Ben, and the pin list of Anna from before they connected. */
async function verifiedPair(stage: Stage) {
  const pair = await stage.pair()
  const { anna, connectionId } = pair
  await markVerified(anna, connectionId)
  const registered = anna.network.requests.find(({ request }) => request === 'POST /api/register')
  const { pins } = (JSON.parse(registered?.body ?? '') as { keys: { pins: StoredPins } }).keys
  return { ...pair, first: pins }
}

async function comeBack(stage: Stage, tab: Tab): Promise<void> {
  tab.network.offline = true
  await reaches(tab.client.live, (state) => state !== 'connected')
  tab.network.offline = false
  await reconnected(stage, tab)
}

test('a list that a new browser made from an old one does not replace what is verified here', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, first } = await verifiedPair(stage)
  const given = await falseKeysOf(stage, ben)
  const lie = lying(connectionId, given)
  const alarm = next(anna, 'alarm')

  // The new browser gets the genuine first list and the false key; its own puts are said to come too late.
  const fresh = stage.tab()
  fresh.network.tampers = (request, answer) => {
    const pins = pinsPut(fresh).at(-1) ?? first
    if (request === 'GET /api/keys/pins') return pins
    const hasPins = typeof answer === 'object' && answer !== null && 'pins' in answer
    return hasPins ? { ...answer, pins } : lie(request, answer)
  }
  await fresh.client.account.signIn(anna)
  await fresh.client.trust.states()

  expect((await alarm).code).toBe('ACCEPTED_OTHER')
  anna.network.tampers = lie
  await comeBack(stage, anna)
  await anna.client.messages.send(connectionId, 'For Ben only')
  const [item] = await reaches(anna.client.outbox, ([one]) => one?.state === 'failed')
  expect(item?.error).toMatch(/encryption key has changed/)
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
})

test('a pin list put with a stolen cookie does not undo verifications', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await verifiedPair(stage)
  const carl = await stage.signUp('carl')
  const { id: withCarl } = await stage.connect(anna, carl)
  await anna.client.trust.states()
  anna.network.offline = true
  await reaches(anna.client.live, (state) => state !== 'connected')
  await stage.server.core.db.write((tx) =>
    tx.run('update users set pins_version = pins_version + 1, pins = ? where id = ?', ['A'.repeat(400), anna.user.id]),
  )
  const fresh = await stage.signIn(anna)
  expect((await next(fresh, 'alarm')).code).toBe('ACCEPTED_LOST')
  await fresh.client.trust.accept(withCarl, (await fresh.client.trust.state(withCarl)).safetyNumber)

  const alarm = next(anna, 'alarm')
  anna.network.offline = false
  await reconnected(stage, anna)
  expect((await alarm).code).toBe('ACCEPTED_OTHER')
  expect((await anna.client.trust.state(connectionId)).state).toBe('verified')

  // And the list is whole again for every other browser.
  const third = await stage.signIn(anna)
  expect(Object.fromEntries(await third.client.trust.states())).toEqual({
    [connectionId]: 'verified',
    [withCarl]: 'unverified',
  })
})

test('a merge survives, with its alarm, if the page is closed before the list is stored', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await verifiedPair(stage)
  const accountKey = await accountKeyOf(anna)
  const { pins } = await anna.client.call(keys.getOwn, { query: {} })
  const version = pins.version + 1
  const other = { version, sealed: await sealPins(accountKey, anna.user.id, version, { pins: {}, parties: {} }) }
  // Each put comes too late.
  const given = (request: string, answer: unknown) => {
    if (request === 'GET /api/keys/pins') return other
    return request === 'GET /api/keys' ? { ...(answer as OwnKeys), pins: other } : answer
  }
  for (let page = 0; page < 2; page++) {
    const tab = stage.tab(anna)
    tab.network.tampers = given
    await tab.client.account.start()
    expect((await next(tab, 'alarm')).code).toBe('ACCEPTED_OTHER')
    expect((await tab.client.trust.state(connectionId)).state).toBe('verified')
    tab.client.close()
  }
})

test('honest browsers that change pins in turn give no alarm', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const elsewhere = await stage.signIn(anna)
  const alarms = [collect(anna, 'alarm'), collect(elsewhere, 'alarm')]
  for (const tab of [anna, elsewhere, anna]) {
    await markVerified(tab, connectionId)
    await tab.client.trust.unverify(connectionId)
    await tab.client.trust.pause(connectionId)
    await tab.client.trust.resume(connectionId)
  }
  await anna.client.messages.send(connectionId, 'Still the same')
  await sentAll(anna)
  expect(alarms.flat()).toEqual([])
})

test('connections that are no more give way when the list of accepted keys is full', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await verifiedPair(stage)
  const accountKey = await accountKeyOf(anna)
  const { pins: before } = await anna.client.call(keys.getOwn, { query: {} })
  const list = await openPins(accountKey, anna.user.id, before)
  const id = (n: number) => `0190f0e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  const parties: Record<string, string> = { ...list.parties }
  const version = before.version + 1
  let sealed = ''
  for (const step of [500, 50, 5, 1]) {
    for (let longer = sealed; longer.length <= pinListLength;) {
      sealed = longer
      const n = Object.keys(parties).length
      const more = Array.from({ length: step }, (_, at) => [id(n + at), ben.user.id] as const)
      longer = await sealPins(accountKey, anna.user.id, version, {
        ...list,
        parties: { ...parties, ...Object.fromEntries(more) },
      })
      if (longer.length <= pinListLength) Object.assign(parties, Object.fromEntries(more))
    }
  }
  const { identity } = await openIdentity(accountKey, await anna.client.call(keys.getOwn, { query: {} }))
  const signature = await signPinList(identity, { userId: anna.user.id, version, sealed })
  await anna.client.call(keys.putPins, { body: { version, sealed, signature } })

  const carl = await stage.signUp('carl')
  const carls = [(await stage.connect(anna, carl)).id]
  for (let round = 0; round < 2; round++) {
    await anna.client.call(connections.remove, { params: { id: carls.at(-1) ?? '' } })
    carls.push((await stage.connect(anna, carl)).id)
    await anna.client.trust.states()
  }
  const withCarl = carls.at(-1) ?? ''
  expect(Object.fromEntries(await anna.client.trust.states())).toEqual({
    [connectionId]: 'verified',
    [withCarl]: 'unverified',
  })
  await anna.client.messages.send(withCarl, 'There is room')
  await sentAll(anna)
  const { pins: after } = await anna.client.call(keys.getOwn, { query: {} })
  expect(Object.keys((await openPins(accountKey, anna.user.id, after)).parties)).toContain(withCarl)
})
