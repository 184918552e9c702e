import { expect, test } from 'vitest'
import type { SendBody } from '../../../server/test/support/scenes/conversation.ts'
import { type ContactIdentity, type ContactKeys, keys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import { createTabs } from '../../src/device/tabs.ts'
import { openContactEpochs } from '../../src/keys/rollback.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { collect, createStage, type Person, reaches, sentAll, type Stage, type Tab, texts } from '../support/stage.ts'
import { accept, markVerified } from '../support/keyRotation.ts'

const send = 'POST /api/messages'

const sends = ({ network }: Tab): SendBody[] =>
  network.requests.filter(({ request }) => request === send).map(({ body }) => JSON.parse(body) as SendBody)

const isFailed = ([item]: readonly { state: string; error?: string | undefined }[]) => item?.state === 'failed'

async function say(tab: Tab, connectionId: string, text: string): Promise<void> {
  await tab.client.messages.send(connectionId, text)
  await sentAll(tab)
}

/** Changes the keys that the server gives for a contact, wherever it gives them. */
const givingKeys = (change: (keys: ContactKeys) => ContactKeys) => (request: string, answer: unknown) => {
  if (request.startsWith('GET /api/connections/') && request.endsWith('/keys')) return change(answer as ContactKeys)
  if (!Array.isArray(answer)) return answer
  return answer.map((each: object) => ('keys' in each ? { ...each, keys: change(each.keys as ContactKeys) } : each))
}

/** Another signature of 64 bytes. */
const unsigned = (keys: ContactKeys): ContactKeys => {
  const { signature } = keys.epoch
  const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  return { ...keys, epoch: { ...keys.epoch, signature: other } }
}

test('a first key whose epoch nobody has signed is not accepted, at a look or in the list of all', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const fresh = await stage.signIn(anna)
  fresh.network.tampers = givingKeys(unsigned)
  await expect(fresh.client.trust.state(connectionId)).rejects.toMatchObject({ code: 'KEYS_FORGED' })
  await fresh.client.trust.states()
  await fresh.client.messages.send(connectionId, 'To whom?')
  const [item] = await reaches(fresh.client.outbox, isFailed)
  expect(item?.error).toMatch(/do not match each other/)
  expect(sends(fresh)).toEqual([])
  expect(fresh.network.requests.map(({ request }) => request)).not.toContain('PUT /api/keys/pins')
})

test('a first key whose epoch is of another user is not accepted', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const mallory = await stage.signUp('mallory')
  const fresh = await stage.signIn(anna)
  fresh.network.tampers = givingKeys((keys) => ({ ...keys, userId: mallory.user.id }))
  await expect(fresh.client.trust.state(connectionId)).rejects.toMatchObject({ code: 'RESPONSE_UNREADABLE' })
  await fresh.client.trust.states()
  expect(fresh.network.requests.map(({ request }) => request)).not.toContain('PUT /api/keys/pins')
})

/** Everything the server says of Ben, under the user id of Mallory. */
const renamed = (ben: Person, mallory: Person) => (request: string, answer: unknown) => {
  const given = givingKeys((keys) => ({
    ...keys,
    userId: mallory.user.id,
    epoch: { ...keys.epoch, userId: mallory.user.id },
  }))(request, answer)
  if (!Array.isArray(given)) return given
  return given.map((each: ContactIdentity) =>
    each.userId === ben.user.id ? { ...each, userId: mallory.user.id } : each,
  )
}

test('another user under the same identity key is told to the page at once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const mallory = await stage.signUp('mallory')
  await anna.client.trust.state(connectionId)
  anna.network.tampers = renamed(ben, mallory)
  const told = collect(anna, 'trust_changed')
  await anna.client.trust.state(connectionId)
  expect(told).toHaveLength(1)
})

test('another user under the same identity key counts as a changed key', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const mallory = await stage.signUp('mallory')
  await say(anna, connectionId, 'For Ben')
  anna.network.tampers = renamed(ben, mallory)
  expect((await anna.client.trust.states()).get(connectionId)).toBe('changed')
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  await anna.client.messages.send(connectionId, 'For whom?')
  const [item] = await reaches(anna.client.outbox, isFailed)
  expect(item?.error).toMatch(/encryption key has changed/)
  expect(sends(anna)).toHaveLength(1)
})

/** A new identity of Ben's whose first epoch has the number of the one before. */
async function exchangeIdentity({ server }: Stage, { user }: Person): Promise<void> {
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({
    identity,
    userId: user.id,
    n: 1,
    createdAt: server.clock.now(),
    startsAt: server.clock.now(),
  })
  await server.core.db.write(async (tx) => {
    await tx.run('update users set identity_key = ? where id = ?', [identity.publicKey, user.id])
    await tx.run('update epochs set public_key = ?, signature = ? where user_id = ?', [
      epoch.publicKey,
      epoch.signature,
      user.id,
    ])
  })
}

/** A new browser of Anna's that has not heard that another one accepted Ben's key, and Ben with another key since. */
async function acceptElsewhere(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const fresh = await stage.signIn(anna)
  fresh.network.swallows = true
  await anna.client.trust.state(connectionId)
  await exchangeIdentity(stage, ben)
  return { ben, fresh, connectionId }
}

test('a first key counts as changed where another browser has accepted another one meanwhile', async () => {
  await using stage = await createStage()
  const { fresh, connectionId } = await acceptElsewhere(stage)
  expect((await fresh.client.trust.state(connectionId)).state).toBe('changed')
})

test('no epoch is remembered of a first key where another browser has accepted another one', async () => {
  await using stage = await createStage()
  const { ben, fresh, connectionId } = await acceptElsewhere(stage)
  const { identityKey } = await fresh.client.call(keys.getContactKeys, { params: { id: connectionId } })
  expect((await fresh.client.trust.state(connectionId)).state).toBe('changed')
  const { device, user } = fresh
  const store = { device, tabs: createTabs(device, () => {}) }
  const remembered = await openContactEpochs(store, { userId: user.id, accountKey: await accountKeyOf(fresh) })
  expect(remembered.highest(ben.user.id, identityKey)).toBeUndefined()
})

test('compared digits verify no key that another browser has accepted meanwhile', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const fresh = await stage.signIn(anna)
  fresh.network.swallows = true
  const { safetyNumber } = await fresh.client.trust.state(connectionId)
  await exchangeIdentity(stage, ben)
  await accept(anna, connectionId)
  const verifying = fresh.client.trust.markVerified(connectionId, safetyNumber)
  await expect(verifying).rejects.toMatchObject({ code: 'KEY_CHANGED' })
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')
})

test('after another key was accepted nothing is sent under an envelope for the former one', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await say(anna, connectionId, 'Under the first key')
  await exchangeIdentity(stage, ben)
  await accept(anna, connectionId)
  await say(anna, connectionId, 'Under the second key')
  const [first, second] = sends(anna)
  expect(second?.envelope).toBeDefined()
  expect(second?.envelope?.id).not.toBe(first?.envelope?.id)
})

test('sending that is paused and resumed leaves a verified contact unverified', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await markVerified(anna, connectionId)
  await anna.client.trust.pause(connectionId)
  expect(await anna.client.trust.state(connectionId)).toMatchObject({ state: 'unverified', paused: true })
  await anna.client.trust.resume(connectionId)
  expect(await anna.client.trust.state(connectionId)).toMatchObject({ state: 'unverified', paused: false })
})

test('a message that the socket brings while its answer is lost is not sent again', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await say(anna, connectionId, 'The first')
  const arrived = Promise.withResolvers<void>()
  anna.network.watches = async (request, answer) => {
    if (request !== send) return
    const message = (await answer.clone().json()) as object
    const { content } = sends(anna).at(-1) as SendBody
    anna.network.inject(JSON.stringify({ type: 'new_message', message: { ...message, content } }))
    await arrived.promise
  }
  anna.network.loses = (request) => request === send
  const heard = new Promise<void>((resolve) => {
    anna.client.on('message', () => resolve())
  })
  await anna.client.messages.send(connectionId, 'Its answer is lost')
  await heard
  arrived.resolve()
  await sentAll(anna)
  await stage.advance(60_000)
  expect(sends(anna)).toHaveLength(2)
  expect(await texts(anna, connectionId)).toEqual(['The first', 'Its answer is lost'])
})

test('sending to a contact who connects again is still paused', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.pause(connectionId)
  await anna.client.connections.remove(connectionId)
  const { id } = await stage.connect(anna, ben)
  expect((await anna.client.trust.state(id)).paused).toBe(true)
})

test('keys that the server gives for a connection that was not asked about change none', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await stage.connect(anna, await stage.signUp('carl'))
  anna.network.tampers = (_request, answer) =>
    Array.isArray(answer) ? answer.map((each: object) => ('keys' in each ? { ...each, connectionId } : each)) : answer
  await anna.client.trust.states()
  anna.network.tampers = undefined
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')
})
