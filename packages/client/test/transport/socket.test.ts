import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import { session } from '@privity/contract/session'
import { browserListed } from '../support/browsers.ts'
import { collect, connected, createStage, next, reaches, reconnected, sentAll, texts } from '../support/stage.ts'

test('the state is that of the socket, and every connection ends in a resync', async () => {
  await using stage = await createStage()
  const anna = stage.tab()
  const states: string[] = []
  anna.client.live.subscribe(() => states.push(anna.client.live.get()))
  const resyncs = collect(anna, 'resync')
  const account = { firstName: 'Anna', lastName: 'Berg', email: 'a@example.com', username: 'anna', password: 'secret' }
  await anna.client.account.signUp(account)
  await connected(anna)
  expect(states).toEqual(['connecting', 'connected'])
  expect(resyncs).toHaveLength(1)

  anna.network.deaf = true
  await reaches(anna.client.live, (state) => state === 'disconnected')
  await stage.advance(10_000)
  await reaches(anna.client.live, (state) => state !== 'connected')
  anna.network.deaf = false
  await reconnected(stage, anna)
  expect(resyncs).toHaveLength(2)
})

test('the socket comes back after the server was away', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await stage.server.restart()
  await reaches(anna.client.live, (state) => state === 'disconnected')
  await reconnected(stage, anna)
  await reconnected(stage, ben)
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Back again')
  expect((await heard).body).toEqual({ kind: 'text', text: 'Back again' })
})

test('a server that does not answer pings counts as gone', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  anna.network.swallows = true
  await stage.advance(25_000)
  expect(anna.client.live.get()).toBe('connected')
  await stage.advance(10_000)
  expect(anna.client.live.get()).not.toBe('connected')
  anna.network.swallows = false
  await reconnected(stage, anna)
})

test('a network that swallows everything is shown within 5 s of the first call without an answer', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  anna.network.swallows = true
  anna.network.watches = () => new Promise(() => {})
  const ask = () => void anna.client.connections.list().catch(() => {})
  ask()
  await stage.advance(1_000)
  ask()
  await stage.advance(1_000)
  await stage.advance(1_000)
  await stage.advance(1_999)
  expect(anna.client.live.get()).toBe('connected')
  await stage.advance(1)
  expect(anna.client.live.get()).not.toBe('connected')
})

test('a call that cannot be made has the socket checked, and one that lives stays', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  const answered = anna.network.nextFrame('pong')
  // Only this call: another one that fails would have the socket checked again.
  anna.network.answers = (request) => {
    if (request !== 'GET /api/connections') return undefined
    throw new TypeError('fetch failed')
  }
  await expect(anna.client.connections.list()).rejects.toMatchObject({ code: 'OFFLINE' })
  await answered
  await stage.advance(5_000)
  expect(anna.client.live.get()).toBe('connected')
})

test('pings keep a quiet socket open', async () => {
  await using stage = await createStage()
  const { anna, ben } = await stage.pair()
  // A notice of new keys or of a new browser would put off the next ping.
  for (const { client } of [anna, ben])
    await expect.poll(async () => (await client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  await browserListed(anna)
  const states = new Set<string>()
  anna.client.live.subscribe(() => states.add(anna.client.live.get()))
  for (let minutes = 0; minutes < 5; minutes++) {
    const answered = anna.network.nextFrame('pong')
    await stage.advance(25_000)
    await answered
  }
  expect([...states]).toEqual([])
})

test('a frame that is not of the contract is left alone', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.inject('not json')
  anna.network.inject('{"type":"new_message","message":{"id":1}}')
  anna.network.inject('{"type":"from_the_future"}')
  const heard = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'Still here')
  expect((await heard).body).toEqual({ kind: 'text', text: 'Still here' })
  expect(anna.client.live.get()).toBe('connected')
})

test('a socket that is refused because the session has ended signs out', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await connected(anna)
  anna.network.deaf = true
  await reaches(anna.client.live, (state) => state === 'disconnected')
  const ended = next(anna, 'signed_out')
  const elsewhere = await stage.signIn(anna)
  const sessions = await elsewhere.client.call(session.listSessions, {})
  const other = sessions.find(({ current }) => !current)
  await elsewhere.client.call(session.endSession, { params: { id: other?.id ?? '' } })
  anna.network.deaf = false
  while (anna.client.live.get() === 'disconnected' && anna.client.account.state.get().status === 'open')
    await stage.advance(1_000)
  expect(await ended).toEqual({ reason: 'ended' })
})

test('connections appear live on the other side, and presence follows the sockets', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  await Promise.all([connected(anna), connected(ben)])
  const told = next(ben, 'connection_created')
  const { id } = await stage.connect(anna, ben)
  expect((await told).id).toBe(id)
  const changed = next(anna, 'party_changed')
  ben.client.close()
  await expect.poll(() => stage.server.core.sockets.isOnline(ben.user.id)).toBe(false)
  await stage.advance(3_000)
  expect(await changed).toMatchObject({ connectionId: id, party: { id: ben.user.id, online: false } })
})

test('a resting socket stays away from whatever would wake it, and comes back with a resync', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.client.rest(true)
  expect(anna.client.live.get()).toBe('disconnected')
  await expect.poll(() => stage.server.core.sockets.isOnline(anna.user.id)).toBe(false)
  const heard = collect(anna, 'message')
  await ben.client.messages.send(connectionId, 'While you rested')
  await sentAll(ben)
  await stage.advance(60_000)
  expect(anna.client.live.get()).toBe('disconnected')
  expect(heard).toEqual([])
  const resync = next(anna, 'resync')
  anna.client.rest(false)
  await resync
  expect(await texts(anna, connectionId)).toEqual(['While you rested'])
})
