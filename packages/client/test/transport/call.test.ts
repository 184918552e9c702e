import { expect, test } from 'vitest'
import { config } from '@privity/contract/config'
import { connections } from '@privity/contract/connections'
import { messages } from '@privity/contract/messages'
import { CallError } from '../../src/index.ts'
import { collect, createStage } from '../support/stage.ts'

const refusal = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error as CallError)

test('a refusal is an error whose message is the status, a colon, a space and the answer', async () => {
  await using stage = await createStage()
  const { client } = await stage.signUp('anna')
  const error = await refusal(client.call(connections.create, { body: { connectionCode: 'ABC-DEF-234' } }))
  expect(error).toBeInstanceOf(CallError)
  expect(error?.message).toMatch(/^404: \{"error":"No one has that code\..*"code":"CODE_UNKNOWN"/)
  expect(error).toMatchObject({ status: 404, code: 'CODE_UNKNOWN', sentence: expect.stringMatching(/^No one has/) })
})

test('invalid input tells where, and a rate limit tells how long to wait', async () => {
  await using stage = await createStage()
  const { client } = await stage.signUp('anna')
  const invalid = await refusal(client.call(messages.list, { params: { id: 'nothing' }, query: {} }))
  expect(invalid).toMatchObject({ code: 'INVALID_INPUT', details: [expect.objectContaining({ path: 'id' })] })
  const guess = () => refusal(client.call(connections.create, { body: { connectionCode: 'ABC-DEF-234' } }))
  for (let tries = 0; tries < 10; tries++) await guess()
  const limited = await guess()
  expect(limited).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
  expect(limited?.retryAfter).toBeGreaterThan(0)
})

test('an answer that is not ours is told by its status', async () => {
  await using stage = await createStage()
  const { client, network } = await stage.signUp('anna')
  network.answers = () =>
    new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
  const error = await refusal(client.connections.list())
  expect(error).toMatchObject({
    status: 502,
    code: 'UNAVAILABLE',
    message: '502: <h1>Bad Gateway</h1>',
    unexplained: true,
  })
  network.answers = () => new Response('', { status: 503, statusText: 'Service Unavailable' })
  expect((await refusal(client.connections.list()))?.message).toBe('503: Service Unavailable')
})

test('an answer of another shape is refused, and no answer is OFFLINE', async () => {
  await using stage = await createStage()
  const { client, network } = await stage.signUp('anna')
  network.tampers = () => ({ version: 7 })
  expect(await refusal(client.call(config.get, {}))).toMatchObject({ code: 'RESPONSE_UNREADABLE', status: 200 })
  network.offline = true
  expect(await refusal(client.call(config.get, {}))).toMatchObject({ code: 'OFFLINE', status: 0 })
})

test('a polled call that has nothing new is answered with 304 and gives the same again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await expect.poll(() => ben.network.requests).toContainEqual({ request: 'GET /api/unread-counts', body: '' })
  const statuses: number[] = []
  ben.network.watches = (request, { status }) => request === 'GET /api/unread-counts' && statuses.push(status)
  expect(await ben.client.messages.unreadCounts()).toEqual([])
  expect(await ben.client.messages.unreadCounts()).toEqual([])
  await new Promise<void>((resolve) => {
    ben.client.on('message', () => resolve())
    void anna.client.messages.send(connectionId, 'Hello')
  })
  expect(await ben.client.messages.unreadCounts()).toEqual([{ connectionId, count: 1 }])
  expect(statuses).toEqual([304, 304, 200])
})

test('a call refused for a former cookie is sent again, and its tab stays signed in', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  const ends = collect(anna, 'signed_out')
  let refusals = 1
  anna.network.answers = (request) =>
    request === 'GET /api/connections' && refusals-- > 0
      ? Response.json({ error: 'You are not signed in.', code: 'NOT_SIGNED_IN' }, { status: 401 })
      : undefined
  expect(await anna.client.connections.list()).toHaveLength(1)
  expect(anna.client.account.state.get().status).toBe('open')
  // A server that refuses it again is believed for this call alone.
  refusals = 2
  expect(await refusal(anna.client.connections.list())).toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(anna.client.account.state.get().status).toBe('open')
  expect(ends).toEqual([])
})
