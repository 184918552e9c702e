import { messages } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import { createSendQueue } from '../../../src/features/messages/sendQueue.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk, type SendBody, type Talk } from '../../support/scenes/conversation.ts'
import { refuse } from '../../support/database/schema.ts'
import { makeContent, makeEnvelope } from '../../support/server/memberKeys.ts'

const unlimited = { requests: 1e9, window: 1e9 }
const startServer = () => createTestServer({ options: { rateLimits: { send: unlimited, other: unlimited } } })

const post = (member: Talk['anna'], body: SendBody) => member.request('POST', '/api/messages', body)

/** Every stored sequence number of the connection, with its sender. */
const stored = (server: Awaited<ReturnType<typeof startServer>>, { connection }: Talk) =>
  server.core.db.read.all<{ id: string; seq: number; sender_id: string }>(
    'select id, seq, sender_id from messages where connection_id = ? order by seq',
    [connection.id],
  )

test('messages sent at once are stored in order of arrival in each connection, without a gap', async () => {
  await using server = await startServer()
  const talks = [await createTalk(server), await createTalk(server), await createTalk(server)]
  for (const talk of talks) for (const from of [talk.anna, talk.ben]) await talk.send(from)
  const sendings = Array.from({ length: 300 }, (_, at) => {
    const talk = talks[at % 3] as Talk
    const from = at % 2 === 0 ? talk.anna : talk.ben
    return { talk, from, body: talk.text(from) }
  })
  const answers = await Promise.all(sendings.map(({ from, body }) => from.call(messages.send, { body })))
  for (const talk of talks) {
    const mine = answers.filter((_, at) => sendings[at]?.talk === talk)
    expect(mine.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(mine.map((_, at) => at + 3))
    expect((await stored(server, talk)).slice(2)).toEqual(
      mine.toSorted((a, b) => a.seq - b.seq).map(({ id, seq, senderId }) => ({ id, seq, sender_id: senderId })),
    )
    const [row] = await server.core.db.read.all(
      'select user_id_1, last_seq, sent_seq_1, sent_seq_2 from connections where id = ?',
      [talk.connection.id],
    )
    const newest = (userId: string) => Math.max(...mine.filter((one) => one.senderId === userId).map(({ seq }) => seq))
    const [first, second] = [talk.anna.user.id, talk.ben.user.id].toSorted() as [string, string]
    expect(row).toEqual({ user_id_1: first, last_seq: 102, sent_seq_1: newest(first), sent_seq_2: newest(second) })
  }
})

test('one that is refused takes none of the others with it, whatever the reason', async () => {
  await using server = await startServer()
  const [talk, other] = [await createTalk(server), await createTalk(server)]
  const { anna, ben, connection } = talk
  await talk.send(anna)
  await talk.send(ben)
  const twice = talk.text(anna)
  const taken = talk.text(ben)
  await talk.send(ben, taken)
  const superseded = makeEnvelope(
    { connectionId: connection.id, from: anna.user.id, to: ben.user.id },
    { epochFrom: 2, epochTo: 1 },
  )
  const refused: [SendBody, string][] = [
    [{ ...talk.text(anna), connectionId: other.connection.id }, 'CONNECTION_NOT_FOUND'],
    [{ ...talk.text(anna), connectionId: crypto.randomUUID() }, 'CONNECTION_NOT_FOUND'],
    [{ ...talk.text(anna), content: makeContent(crypto.randomUUID()).content }, 'ENVELOPE_UNKNOWN'],
    [{ ...talk.text(anna), content: makeContent(superseded.id).content, envelope: superseded }, 'EPOCH_SUPERSEDED'],
    [{ ...talk.text(anna), content: taken.content }, 'MESSAGE_ID_TAKEN'],
    [{ ...talk.text(anna), content: 'plain' }, 'MESSAGE_NOT_SEALED'],
  ]
  const good = Array.from({ length: 12 }, () => talk.text(anna))
  const bodies = good.flatMap((body, at) => [body, ...(refused[at] === undefined ? [] : [refused[at][0]])])
  const answers = await Promise.all([...bodies, twice, twice].map((body) => post(anna, body)))
  const codes = answers.map(({ body }) => (body as { code?: string }).code)
  for (const [body, code] of refused) expect(codes[bodies.indexOf(body)], code).toBe(code)
  expect(codes.filter((code) => code !== undefined)).toHaveLength(refused.length)
  const repeated = answers.slice(-2).map(({ status }) => status)
  expect(repeated.toSorted()).toEqual([200, 201])
  expect((await stored(server, talk)).map(({ seq }) => seq)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1))
})

test('what must be alone keeps its place among the others, and is undone alone', async () => {
  await using server = await startServer()
  const order: string[][] = []
  const send = createSendQueue<string, string>(
    server.core,
    (job) => job.startsWith('alone'),
    async (_tx, jobs) => {
      order.push([...jobs])
      return jobs.map((job) => (job.endsWith('!') ? { error: new Error(job) } : { result: job }))
    },
  )
  const jobs = ['a', 'b!', 'alone 1', 'alone 2!', 'c', 'd']
  const results = await Promise.allSettled(jobs.map(send))
  expect(order).toEqual([['a', 'b!'], ['alone 1'], ['alone 2!'], ['c', 'd']])
  expect(results.map(({ status }) => status)).toEqual(jobs.map((job) => (job.endsWith('!') ? 'rejected' : 'fulfilled')))
})

test('no more are done together than the event loop can bear, and none is forgotten', async () => {
  await using server = await startServer()
  const sizes: number[] = []
  const send = createSendQueue<number, number>(
    server.core,
    () => false,
    async (_tx, jobs) => {
      sizes.push(jobs.length)
      return jobs.map((result) => ({ result }))
    },
  )
  const jobs = Array.from({ length: 450 }, (_, at) => at)
  expect(await Promise.all(jobs.map(send))).toEqual(jobs)
  expect(sizes).toEqual([200, 200, 50])
})

test('if storing fails, all messages of the batch fail and none is stored or counted', async () => {
  await using server = await startServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  const allow = await refuse(server.core.db, 'messages')
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(talk.anna, talk.text(talk.anna))))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(500))
  await allow(server.core.db)
  expect(await stored(server, talk)).toHaveLength(1)
  expect(await server.core.db.read.get('select sum(messages) as sent from message_minutes')).toEqual({ sent: 1 })
  expect((await talk.send(talk.anna)).seq).toBe(2)
})
