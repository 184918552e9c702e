import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { type EpochKey, keys, type OwnKeys, type ContactKeys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { createEnvelope, createEpoch, createIdentity, importIdentity, newId, sealMessage } from '@privity/e2ee'
import {
  connected,
  createStage,
  next,
  type Person,
  reaches,
  sentAll,
  type Stage,
  texts,
  textOf,
  meetContacts,
} from '../support/stage.ts'
import { accept, markVerified } from '../support/keyRotation.ts'

/** A new identity with its first epoch, as the server would hold it. */
async function makeIdentity({ server }: Stage, userId: string) {
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({
    identity,
    userId,
    n: 1,
    createdAt: server.clock.now(),
    startsAt: server.clock.now(),
  })
  return { identity, epoch }
}

/** Puts other keys in the place of a person's: a true new identity, or the attack by the server itself. */
async function exchangeKeys(stage: Stage, { user }: Person) {
  const made = await makeIdentity(stage, user.id)
  const { publicKey, previousHash, signature } = made.epoch
  await stage.server.core.db.write(async (tx) => {
    await tx.run('update users set identity_key = ? where id = ?', [made.identity.publicKey, user.id])
    await tx.run('update epochs set public_key = ?, previous_hash = ?, signature = ? where user_id = ?', [
      publicKey,
      previousHash,
      signature,
      user.id,
    ])
  })
  return made
}

test('both sides see the same 60 digits, and verifying lasts in every browser of the user', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const mine = await anna.client.trust.state(connectionId)
  expect(mine).toMatchObject({ state: 'unverified', paused: false })
  expect(mine.safetyNumber).toMatch(/^\d{60}$/)
  expect((await ben.client.trust.state(connectionId)).safetyNumber).toBe(mine.safetyNumber)

  await markVerified(anna, connectionId)
  const elsewhere = await stage.signIn(anna)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('verified')
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await elsewhere.client.trust.unverify(connectionId)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('unverified')
})

test('another browser hears of a changed pin', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  // The first look pins the key, which is a change of its own.
  await anna.client.trust.state(connectionId)
  const elsewhere = await stage.signIn(anna)
  await connected(elsewhere)
  await elsewhere.client.trust.state(connectionId)
  const heard = next(elsewhere, 'trust_changed')
  await markVerified(anna, connectionId)
  await heard
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('verified')
})

test('a changed key blocks sending until it is accepted, and then is not verified', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await markVerified(anna, connectionId)
  const before = await anna.client.trust.state(connectionId)
  await exchangeKeys(stage, ben)

  const elsewhere = await stage.signIn(anna)
  const changed = await elsewhere.client.trust.state(connectionId)
  expect(changed.state).toBe('changed')
  expect(changed.safetyNumber).not.toBe(before.safetyNumber)
  const { id } = await elsewhere.client.messages.send(connectionId, 'For Ben only')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/encryption key has changed/)
  expect(elsewhere.network.requests.map(({ request }) => request)).not.toContain('POST /api/messages')
  await expect(markVerified(elsewhere, connectionId)).rejects.toMatchObject({ code: 'KEY_CHANGED' })

  await accept(elsewhere, connectionId)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('unverified')
  await elsewhere.client.messages.retry(id)
  await sentAll(elsewhere)
})

test('messages from before a change are still read after it is accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'From Ben')
  await anna.client.messages.send(connectionId, 'To Ben')
  await Promise.all([sentAll(anna), sentAll(ben)])
  const before = await texts(anna, connectionId)
  await exchangeKeys(stage, ben)
  const elsewhere = await stage.signIn(anna)
  expect(await texts(elsewhere, connectionId)).toEqual(before)
  const again = next(elsewhere, 'resync')
  await accept(elsewhere, connectionId)
  await again
  expect(await texts(elsewhere, connectionId)).toEqual(before)
})

test('a message under a new key is not opened, and told of, until the key is accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const told = next(anna, 'trust_changed')
  const heard = next(anna, 'message')
  const { identity, epoch } = await exchangeKeys(stage, ben)
  const { identityKey, epochs } = await anna.client.call(keys.getOwn, { query: {} })
  const id = newId(stage.server.clock.now())
  const { envelope, conversationKey } = await createEnvelope({
    id,
    connectionId,
    sender: { userId: ben.user.id, identity, epoch },
    recipient: { userId: anna.user.id, identityKey, epoch: epochs[0] as EpochKey },
  })
  const body = { kind: 'text' as const, text: 'It is me, Ben' }
  const context = {
    sentAt: stage.server.clock.now(),
    n: 1,
    lifetime: 1,
    previous: undefined,
    otherPrevious: undefined,
    seen: undefined,
  }
  const content = await sealMessage({ conversationKey, identity, messageId: id, envelope, body, context })
  await ben.client.call(messages.send, { body: { connectionId, content, envelope } })

  expect(textOf(await heard)).toMatch(/not signed with the key you have accepted/)
  await told
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  expect(await texts(anna, connectionId)).toEqual([expect.stringMatching(/not signed with the key you have accepted/)])
  await accept(anna, connectionId)
  expect(await texts(anna, connectionId)).toEqual(['It is me, Ben'])
})

test('an identity key altered alone on the server is a changed key that cannot be accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const { identity } = await makeIdentity(stage, ben.user.id)
  await stage.server.core.db.write((tx) =>
    tx.run('update users set identity_key = ? where id = ?', [identity.publicKey, ben.user.id]),
  )
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  await expect(accept(anna, connectionId)).rejects.toMatchObject({ code: 'KEYS_FORGED' })
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
})

test('an epoch of the other party that has ended is refused where a later one was seen', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const serving = (change: Partial<ContactKeys['epoch']>) => (request: string, answer: unknown) => {
    if (!/^GET .api.connections.*keys$/.test(request)) return answer
    const { epoch, ...rest } = answer as ContactKeys
    return { ...rest, epoch: { ...epoch, ...change } }
  }
  await anna.client.trust.state(connectionId)
  anna.network.tampers = serving({ n: 2 })
  await anna.client.trust.state(connectionId)
  anna.network.tampers = serving({ n: 1, startsAt: 0, endsAt: limits.epochDuration })
  await expect(anna.client.trust.state(connectionId)).rejects.toMatchObject({ code: 'KEY_OLD' })
})

test('another account that the server puts in the place of the other party is a changed key', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const mallory = await stage.signUp('mallory')
  const { userId, identityKey, epochs } = await mallory.client.call(keys.getOwn, { query: {} })
  const elsewhere = await stage.signIn(anna)
  elsewhere.network.tampers = (request, answer) =>
    request.startsWith('GET /api/connections/') && request.endsWith('/keys')
      ? { userId, identityKey, former: [], epoch: epochs[0] }
      : answer
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('changed')
  await elsewhere.client.messages.send(connectionId, 'For Ben only')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/encryption key has changed/)
})

test('sending can be paused, in every browser, and resumed', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.pause(connectionId)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  expect((await elsewhere.client.trust.state(connectionId)).paused).toBe(true)
  const { id } = await elsewhere.client.messages.send(connectionId, 'Wait')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/paused/)
  await elsewhere.client.trust.resume(connectionId)
  await elsewhere.client.messages.retry(id)
  await sentAll(elsewhere)
})

const withPins = (change: (pins: OwnKeys['pins']) => OwnKeys['pins']) => (request: string, answer: unknown) => {
  if (request === 'GET /api/keys/pins') return change(answer as OwnKeys['pins'])
  if (request !== 'GET /api/keys') return answer
  const own = answer as OwnKeys
  return { ...own, pins: change(own.pins) }
}

test('a missing, altered or older pin list alerts, and the known pins stay', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const { pins: older } = await anna.client.call(keys.getOwn, { query: {} })
  await markVerified(anna, connectionId)
  const cases = [
    withPins(() => ({ version: 0, sealed: '' })),
    withPins(({ version, sealed }) => ({ version, sealed: `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}` })),
    withPins(() => older),
    // The old list under the new number.
    withPins(({ version }) => ({ version, sealed: older.sealed })),
  ]
  for (const tampers of cases) {
    const tab = stage.tab(anna)
    tab.network.tampers = tampers
    await tab.client.account.start()
    expect((await next(tab, 'alarm')).sentence).toMatch(/the keys you have accepted|list of keys you have accepted/)
    expect((await tab.client.trust.state(connectionId)).state).toBe('verified')
    tab.client.close()
  }
})

test('a browser that knows no pins takes no key unseen when the list is missing', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await stage.server.core.db.write((tx) =>
    tx.run("update users set pins_version = 0, pins = '' where id = ?", [anna.user.id]),
  )
  const fresh = await stage.signIn(anna)
  expect((await next(fresh, 'alarm')).sentence).toMatch(/lost or altered the list/)
  expect((await fresh.client.trust.state(connectionId)).state).toBe('changed')
  const { id } = await fresh.client.messages.send(connectionId, 'Who are you?')
  await reaches(fresh.client.outbox, ([item]) => item?.state === 'failed')
  await accept(fresh, connectionId)
  await fresh.client.messages.retry(id)
  await sentAll(fresh)
})

test('two browsers that change pins at the same time lose neither', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const carl = await stage.signUp('carl')
  const { id: other } = await stage.connect(anna, carl)
  const elsewhere = await stage.signIn(anna)
  await Promise.all([markVerified(anna, connectionId), markVerified(elsewhere, other)])
  const third = await stage.signIn(anna)
  expect((await third.client.trust.state(connectionId)).state).toBe('verified')
  expect((await third.client.trust.state(other)).state).toBe('verified')
})
