import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import { createSendCache } from '../../../src/features/messages/sendCache.ts'
import type { SendFacts } from '../../../src/features/messages/sendQueries.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, publication } from '../../support/server/memberKeys.ts'
import { createTalk, type SendBody, type Talk } from '../../support/scenes/conversation.ts'

const unlimited = { requests: 1e9, window: 1e9 }
const startServer = () => createTestServer({ options: { rateLimits: { send: unlimited, other: unlimited } } })

const post = (member: Talk['anna'], body: SendBody) => member.request('POST', '/api/messages', body)

/** Writes directly, like another process: this one gets no notice. */
const change = (server: TestServer, sql: string, ...params: string[]) =>
  server.core.db.write((tx) => tx.run(sql, params))

const numbers = async (server: TestServer, { connection }: Talk) => {
  const rows = await server.core.db.read.all<{ seq: number }>(
    'select seq from messages where connection_id = ? order by seq',
    [connection.id],
  )
  return rows.map(({ seq }) => seq)
}

/** Two members whose send data the server has cached in both directions. */
async function talking(server: TestServer): Promise<Talk> {
  const talk = await createTalk(server)
  for (const from of [talk.anna, talk.ben, talk.anna, talk.ben, talk.anna, talk.ben]) await talk.send(from)
  return talk
}

const changes: [string, (server: TestServer, talk: Talk) => Promise<unknown>, string, string][] = [
  [
    'is suspended',
    (server, { ben }) => change(server, 'update users set suspended = 1 where id = ?', ben.user.id),
    'PEER_UNAVAILABLE',
    'NOT_SIGNED_IN',
  ],
  [
    'is switched off',
    (server, { ben }) => change(server, 'update users set is_active = 0 where id = ?', ben.user.id),
    'PEER_UNAVAILABLE',
    'NOT_SIGNED_IN',
  ],
  [
    'has a new epoch',
    (server, { ben }) => ben.call(keys.publishEpochs, publication(makeEpoch(ben.user.id, 2, server.clock.now()))),
    'EPOCH_SUPERSEDED',
    'EPOCH_SUPERSEDED',
  ],
  [
    'has removed the connection',
    (server, { connection }) => change(server, 'delete from connections where id = ?', connection.id),
    'CONNECTION_NOT_FOUND',
    'CONNECTION_NOT_FOUND',
  ],
]

for (const [what, make, toContact, fromContact] of changes)
  test(`the next message knows that the contact ${what}, whoever changed it, and takes no number`, async () => {
    await using server = await startServer()
    const [talk, others] = [await talking(server), await talking(server)]
    await make(server, talk)
    const beside = Array.from({ length: 5 }, () => others.text(others.anna))
    const [byAnna, byBen, ...rest] = await Promise.all([
      post(talk.anna, talk.text(talk.anna)),
      post(talk.ben, talk.text(talk.ben)),
      ...beside.map((body) => post(others.anna, body)),
    ])
    expect([byAnna?.body, byBen?.body]).toMatchObject([{ code: toContact }, { code: fromContact }])
    expect(rest.map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect(await numbers(server, talk)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await numbers(server, others)).toEqual(Array.from({ length: 11 }, (_, at) => at + 1))
  })

test('a message by remembered facts lives no longer than its keys', async () => {
  await using server = await startServer()
  const { anna, send } = await createTalk(server)
  const begun = server.clock.now()
  await server.advance(limits.epochDuration - 1_000)
  for (let sent = 0; sent < 3; sent++) await send(anna)
  // In the time of grace the facts still serve: the envelope outlives the messages by ten seconds.
  await server.advance(5_000)
  expect((await send(anna)).expiresAt).toBe(begun + limits.epochDuration + limits.retention)
})

test('the very next message bears the new name of its sender', async () => {
  await using server = await startServer()
  const talk = await talking(server)
  await change(server, "update users set first_name = 'Zoe' where id = ?", talk.anna.user.id)
  expect((await talk.send(talk.anna)).sender.firstName).toBe('Zoe')
  expect((await talk.send(talk.ben)).sender.firstName).not.toBe('Zoe')
  expect(await numbers(server, talk)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('what is remembered of a batch that was undone is not believed', async () => {
  await using server = await startServer()
  const talk = await talking(server)
  const undone = server.core.db.write(async (tx) => {
    await tx.run('update users set suspended = 1 where id = ?', [talk.ben.user.id])
    throw new Error('undone')
  })
  const [failure, sent] = await Promise.all([
    undone.catch((error: Error) => error.message),
    post(talk.anna, talk.text(talk.anna)),
  ])
  expect([failure, sent]).toMatchObject(['undone', { status: 201 }])
  await change(server, 'update users set suspended = 1 where id = ?', talk.ben.user.id)
  expect(await post(talk.anna, talk.text(talk.anna))).toMatchObject({ body: { code: 'PEER_UNAVAILABLE' } })
})

test('a repeated message or a taken id in a batch is answered as usual and takes no number', async () => {
  await using server = await startServer()
  const talk = await talking(server)
  const [first, foreign] = [talk.text(talk.anna), talk.text(talk.ben)]
  const sent = await talk.anna.call(messages.send, { body: first })
  await talk.send(talk.ben, foreign)
  const fresh = Array.from({ length: 6 }, () => talk.text(talk.anna))
  const bodies = [...fresh.slice(0, 3), first, { ...first, content: foreign.content }, ...fresh.slice(3), first]
  const answers = await Promise.all(bodies.map((body) => post(talk.anna, body)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 409, 201, 201, 201, 200])
  expect([answers[3]?.body, answers[8]?.body]).toEqual([sent, sent])
  expect(await numbers(server, talk)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1))
})

test('an envelope that is remembered lives as long as each message under it', async () => {
  await using server = await startServer()
  const talk = await talking(server)
  for (let at = 0; at < 8; at++) {
    const sent = await talk.send(talk.anna)
    const envelopes = await server.core.db.read.all<{ expires_at: number }>(
      'select expires_at from envelopes where id in (select envelope_id from messages where id = ?)',
      [sent.id],
    )
    expect(envelopes).toHaveLength(1)
    expect(envelopes[0]?.expires_at).toBeGreaterThanOrEqual(sent.expiresAt)
    await server.advance(4000)
  }
})

test('the database counts every change of what sending asks of a user, and no other', async () => {
  await using server = await startServer()
  const { user } = await server.signUp('dora')
  const version = async () => {
    const row = await server.core.db.read.get<{ version: number }>(
      'select sending_version as version from users where id = ?',
      [user.id],
    )
    return row?.version ?? Number.NaN
  }
  const before = await version()
  const counted = [
    "first_name = 'D'",
    "last_name = 'E'",
    'is_active = 0',
    'suspended = 1',
    "first_name = 'F', is_active = 1",
  ]
  for (const [at, what] of counted.entries()) {
    await change(server, `update users set ${what} where id = ?`, user.id)
    expect(await version(), what).toBe(before + at + 1)
  }
  await change(server, "update users set connection_code = 'ZZZZZZZZ', role = 'org_admin' where id = ?", user.id)
  expect(await version()).toBe(before + counted.length)
})

test('the cache is bounded, serves its own sender, and no envelope that must live longer', () => {
  const cache = createSendCache()
  const key = (at: number) => ({ connectionId: `c${at}`, userId: 'u', envelopeId: `e${at}`, messageId: `m${at}` })
  const facts = (at: number) =>
    ({ envelope_connection: `c${at}`, envelope_from: 'u', envelope_expires_at: 100 }) as SendFacts
  for (let at = 0; at < 10_001; at++) cache.store(key(at), facts(at))
  expect([0, 1, 10_000].map((at) => cache.find(key(at), 100))).toEqual([undefined, facts(1), facts(10_000)])
  expect(cache.find({ ...key(1), userId: 'v' }, 100)).toBe(undefined)
  expect(cache.find({ ...key(1), connectionId: 'c2' }, 100)).toBe(undefined)
  expect(cache.find(key(1), 101)).toBe(undefined)
  cache.remove(key(1))
  expect(cache.find(key(1), 100)).toBe(undefined)
  cache.store(key(2), { ...facts(2), envelope_expires_at: null })
  expect(cache.find(key(2), 1)).toBe(undefined)
})

test('a message of another lifetime than the conversation’s is refused among cached ones', async () => {
  await using server = await startServer()
  const talk = await talking(server)
  const body = talk.text(talk.anna, { lifetime: 60 * 60_000 })
  expect(await post(talk.anna, body)).toMatchObject({ status: 409, body: { code: 'LIFETIME_CHANGED' } })
})
