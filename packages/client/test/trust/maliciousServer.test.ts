import { expect, test } from 'vitest'
import type { Connection } from '@privity/contract/connections'
import type { AuthorizationRequest } from '@privity/contract/files'
import { type EpochKey, keys, type ContactKeys } from '@privity/contract/keys'
import { type Message, messages } from '@privity/contract/messages'
import { createEnvelope, createEpoch, createIdentity, importIdentity, newId, sealMessage } from '@privity/e2ee'
import type { DecryptedRequest } from '../../src/index.ts'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  reaches,
  sentAll,
  type Stage,
  textOf,
} from '../support/stage.ts'
import { bytesOf, share } from '../support/fileSharing.ts'

/** Anna is connected with Ben and with Mallory, who is on the server's side, and has accepted both keys. */
async function three(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const mallory = await stage.signUp('mallory')
  const { id: withMallory } = await stage.connect(anna, mallory)
  await connected(mallory)
  for (const id of [connectionId, withMallory]) await anna.client.trust.state(id)
  return { anna, ben, mallory, connectionId, withMallory }
}

const isPending = (request: string) => request === 'GET /api/file-authorizations/pending'

test('a request under the name of another person is not shown, with an alarm, and gets no grant', async () => {
  await using stage = await createStage()
  const { anna, ben, mallory, connectionId } = await three(stage)
  const message = await share(anna, ben, connectionId, new File([bytesOf(100)], 'For Ben.pdf'))
  await ben.client.files.request(message)
  const elsewhere = await stage.signIn(anna)
  const [genuine] = (await elsewhere.client.files.pending()) as [DecryptedRequest]
  const rewritten = { ...genuine, requestedById: mallory.user.id }
  anna.network.tampers = (request, answer) =>
    isPending(request) ? [{ ...(answer as AuthorizationRequest[])[0], requestedById: mallory.user.id }] : answer
  const alarm = next(anna, 'alarm')
  expect(await anna.client.files.pending()).toEqual([])
  expect((await alarm).sentence).toMatch(/request for one of your files/)
  await expect(anna.client.files.decide(rewritten, true)).rejects.toMatchObject({ code: 'REQUEST_ALTERED' })

  const { name: _name, ...request } = rewritten
  const told = collect(anna, 'authorization_requested')
  anna.network.inject(JSON.stringify({ type: 'authorization_requested', request }))
  const { requestedById } = genuine
  anna.network.inject(JSON.stringify({ type: 'authorization_requested', request: { ...request, requestedById } }))
  await reaches({ get: () => told.length, subscribe: (run) => anna.client.on('authorization_requested', run) }, Boolean)
  expect(told.map((each) => each.requestedById)).toEqual([ben.user.id])
  expect(anna.network.requests.some((each) => each.request.startsWith('PATCH '))).toBe(false)
})

test('a request that is moved to another connection opens neither name nor key', async () => {
  await using stage = await createStage()
  const { anna, ben, mallory, connectionId, withMallory } = await three(stage)
  const message = await share(anna, ben, connectionId, new File([bytesOf(100)], 'For Ben.pdf'))
  await ben.client.files.request(message)
  anna.network.tampers = (request, answer) =>
    isPending(request)
      ? (answer as AuthorizationRequest[]).map((each) => ({
          ...each,
          requestedById: mallory.user.id,
          connectionId: withMallory,
        }))
      : answer
  const [moved] = (await anna.client.files.pending()) as [DecryptedRequest]
  expect(moved.name).toBeUndefined()
  await expect(anna.client.files.decide(moved, true)).rejects.toMatchObject({ code: 'REQUEST_ALTERED' })
  expect(anna.network.requests.some((each) => each.request.startsWith('PATCH '))).toBe(false)
})

test('a message of another conversation is not shown in this one', async () => {
  await using stage = await createStage()
  const { anna, ben, mallory, connectionId, withMallory } = await three(stage)
  await ben.client.messages.send(connectionId, 'From Ben')
  await mallory.client.messages.send(withMallory, 'From Mallory')
  await Promise.all([sentAll(ben), sentAll(mallory)])
  const foreign = await anna.client.call(messages.list, { params: { id: withMallory }, query: {} })
  const asIs = foreign.map((message) => ({ ...message, seq: 50 }))
  const underThisId = foreign.map((message) => ({ ...message, id: newId(1), connectionId }))
  for (const added of [asIs, underThisId]) {
    const elsewhere = await stage.signIn(anna)
    elsewhere.network.tampers = (request, answer) =>
      request.startsWith(`GET /api/connections/${connectionId}/messages`)
        ? [...(answer as Message[]), ...added]
        : answer
    const shown = await elsewhere.client.messages.list(connectionId)
    expect(shown.map(textOf)).toEqual(['From Ben', expect.stringMatching(/does not belong where the server shows it/)])
    expect(shown.map((message) => message.connectionId)).toEqual([connectionId, connectionId])
  }
})

const other = ({ user1, user2 }: Connection, { user }: Person) => (user1.id === user.id ? user2 : user1)

test('another person in the place of a contact is left out, with an alarm', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, withMallory } = await three(stage)
  const genuine = await anna.client.connections.list()
  const find = (id: string) => genuine.find((each) => each.id === id) as Connection
  const swapped = [
    { ...find(connectionId), id: withMallory },
    { ...find(withMallory), id: connectionId },
  ]
  expect(genuine.map(({ id }) => id).toSorted()).toEqual([connectionId, withMallory].toSorted())
  anna.network.tampers = (request, answer) => (request === 'GET /api/connections' ? swapped : answer)
  const alarm = next(anna, 'alarm')
  expect(await anna.client.connections.list()).toEqual([])
  expect((await alarm).sentence).toMatch(/a different person in place of one of your contacts/)

  // Only one of the two names that an answer gives.
  const mallory = other(find(withMallory), anna)
  const halves = (['user1', 'user2'] as const).map((key) => ({ ...find(connectionId), [key]: mallory }))
  anna.network.tampers = (request, answer) => (request === 'GET /api/connections' ? halves : answer)
  expect(await anna.client.connections.list()).toEqual([])

  const created = collect(anna, 'connection_created')
  const changed = collect(anna, 'party_changed')
  anna.network.inject(JSON.stringify({ type: 'connection_created', connection: swapped[0] }))
  anna.network.inject(JSON.stringify({ type: 'party_changed', connectionId, party: mallory }))
  const party = other(find(connectionId), anna)
  anna.network.inject(JSON.stringify({ type: 'party_changed', connectionId, party }))
  await reaches({ get: () => changed.length, subscribe: (run) => anna.client.on('party_changed', run) }, (n) => n > 0)
  expect(created).toEqual([])
  expect(changed).toEqual([{ connectionId, party }])
  expect(party.id).toBe(ben.user.id)

  anna.network.tampers = (request, answer) => (request === 'POST /api/connections' ? swapped[0] : answer)
  const carl = await stage.signUp('carl')
  await expect(anna.client.connections.create(carl.user.connectionCode)).rejects.toMatchObject({
    code: 'PARTY_ALTERED',
  })
})

async function makeKeys(stage: Stage, userId: string) {
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({
    identity,
    userId,
    n: 1,
    createdAt: stage.server.clock.now(),
    startsAt: stage.server.clock.now(),
  })
  return {
    identity,
    epoch,
    served: { userId, identityKey: identity.publicKey, former: [], epoch } satisfies ContactKeys,
  }
}

const serving = (given: unknown) => (request: string, answer: unknown) =>
  /^GET .api.connections.*keys$/.test(request) ? given : answer

test('only the key whose digits were on the screen is accepted or verified', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const first = await anna.client.trust.state(connectionId)
  const [shown, unseen] = [await makeKeys(stage, ben.user.id), await makeKeys(stage, ben.user.id)]
  anna.network.tampers = serving(shown.served)
  const changed = await anna.client.trust.state(connectionId)
  expect(changed.state).toBe('changed')

  anna.network.tampers = serving(unseen.served)
  const refusal = { code: 'KEY_CHANGED' }
  await expect(anna.client.trust.accept(connectionId, changed.safetyNumber)).rejects.toMatchObject(refusal)
  await expect(anna.client.trust.accept(connectionId, first.safetyNumber)).rejects.toMatchObject(refusal)
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')

  anna.network.tampers = serving(shown.served)
  await anna.client.trust.accept(connectionId, changed.safetyNumber)
  await expect(anna.client.trust.markVerified(connectionId, first.safetyNumber)).rejects.toMatchObject(refusal)
  expect(await anna.client.trust.state(connectionId)).toMatchObject({ ...changed, state: 'unverified' })
  await anna.client.trust.markVerified(connectionId, changed.safetyNumber)
  expect((await anna.client.trust.state(connectionId)).state).toBe('verified')
})

test('an epoch that has ended is refused after a reload too where a later one was seen', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const made = await makeKeys(stage, ben.user.id)
  anna.network.tampers = serving(made.served)
  await anna.client.trust.state(connectionId)
  const { epoch: second } = await createEpoch({
    identity: made.identity,
    userId: ben.user.id,
    n: 2,
    createdAt: stage.server.clock.now(),
    startsAt: made.epoch.endsAt,
    previous: made.epoch,
  })
  const reload = async (given: ContactKeys) => {
    const tab = stage.tab(anna)
    tab.network.tampers = serving(given)
    await tab.client.account.start()
    return tab
  }
  // A number that nobody has signed locks nobody out.
  await (await reload({ ...made.served, epoch: { ...second, n: 90 } })).client.trust.state(connectionId)
  await (await reload({ ...made.served, epoch: second })).client.trust.state(connectionId)
  await stage.advance(9 * 60 * 60_000)
  const tab = await reload(made.served)
  await expect(tab.client.trust.state(connectionId)).rejects.toMatchObject({ code: 'KEY_OLD' })
  const { id } = await tab.client.messages.send(connectionId, 'Under the newest only')
  const [failed] = await reaches(tab.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/older encryption key/)
  await tab.client.messages.discard(id)
  const kept = await Promise.all((await anna.device.names('seen/')).map((name) => anna.device.get(name)))
  expect(JSON.stringify(kept)).not.toContain(ben.user.id)

  const renewed = await makeKeys(stage, ben.user.id)
  expect((await (await reload(renewed.served)).client.trust.state(connectionId)).state).toBe('changed')
})

test('a message signed with a key that has been replaced says so', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const [earlier, later] = [await makeKeys(stage, ben.user.id), await makeKeys(stage, ben.user.id)]
  const own = await anna.client.call(keys.getOwn, { query: {} })
  const send = async ({ identity, epoch }: typeof earlier, text: string) => {
    const recipient = { userId: anna.user.id, identityKey: own.identityKey, epoch: own.epochs[0] as EpochKey }
    const sender = { userId: ben.user.id, identity, epoch }
    const made = await createEnvelope({ id: newId(stage.server.clock.now()), connectionId, sender, recipient })
    const messageId = newId(stage.server.clock.now())
    const body = { kind: 'text' as const, text }
    const none = { previous: undefined, otherPrevious: undefined, seen: undefined }
    const context = { sentAt: stage.server.clock.now(), n: 1, lifetime: 1, ...none }
    const content = await sealMessage({ ...made, identity, messageId, body, context })
    // The server verifies signatures by the key that it holds: a lying one holds the key it lies about.
    const hold = 'update users set identity_key = ? where id = ?'
    await stage.server.core.db.write((tx) => tx.run(hold, [identity.publicKey, ben.user.id]))
    await ben.client.call(messages.send, { body: { connectionId, content, envelope: made.envelope } })
  }
  const flags = async () =>
    (await anna.client.messages.list(connectionId)).map((message) => [textOf(message), message.earlierKey])

  anna.network.tampers = serving(earlier.served)
  await anna.client.trust.state(connectionId)
  await send(earlier, 'While it was the key')
  expect(await flags()).toEqual([['While it was the key', undefined]])

  anna.network.tampers = serving(later.served)
  await anna.client.trust.accept(connectionId, (await anna.client.trust.state(connectionId)).safetyNumber)
  await send(later, 'With the new key')
  await send(earlier, 'Forged with the old one')
  expect(await flags()).toEqual([
    ['While it was the key', true],
    ['With the new key', undefined],
    ['Forged with the old one', true],
  ])
})

test('a message that the server gives another kind is not shown', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'A text')
  await sentAll(anna)
  ben.network.tampers = (request, answer) =>
    request.startsWith(`GET /api/connections/${connectionId}/messages`)
      ? (answer as Message[]).map((each) => ({ ...each, messageType: 'file' }))
      : answer
  const [shown] = await ben.client.messages.list(connectionId)
  expect(shown?.body).toMatchObject({ kind: 'unreadable', reason: { code: 'MESSAGE_MISPLACED' } })
})

test.each(['its own', 'the shown'])(
  'a known message under %s connection is not shown in another conversation',
  async (id) => {
    await using stage = await createStage()
    const { anna, ben, connectionId, withMallory } = await three(stage)
    await ben.client.messages.send(connectionId, 'From Ben')
    await sentAll(ben)
    const [found] = await anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
    expect((await anna.client.messages.list(connectionId)).map(textOf)).toEqual(['From Ben'])
    const moved = { ...found, envelope: undefined, ...(id === 'the shown' && { connectionId: withMallory }) }
    anna.network.tampers = (request, answer) =>
      request.startsWith(`GET /api/connections/${withMallory}/messages`) ? [moved] : answer
    const shown = await anna.client.messages.list(withMallory)
    expect(shown.map(({ body }) => body.kind)).toEqual(['unreadable'])
  },
)

test('a message is not shown a second time under another id', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await three(stage)
  await ben.client.messages.send(connectionId, 'Once')
  await sentAll(ben)
  anna.network.tampers = (request, answer) => {
    if (!request.startsWith(`GET /api/connections/${connectionId}/messages`)) return answer
    const [found] = answer as Message[]
    return found ? [found, { ...found, id: newId(found.createdAt), seq: found.seq + 1 }] : answer
  }
  const shown = await anna.client.messages.list(connectionId)
  expect(shown.map(({ body }) => body.kind)).toEqual(['text', 'unreadable'])
})
