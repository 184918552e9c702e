import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { createTalk, deletionOf, type Talk } from '../../support/scenes/conversation.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

const unlimited = { requests: 1e9, window: 1e9 }
const rateLimits = { send: unlimited, other: unlimited, signIn: unlimited, signUp: unlimited }

let postgres: PostgresServer
let servers: [TestServer, TestServer]

beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
  const env = {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'error',
    SERVER_SECRET: 'a secret that both of these processes share',
  }
  const start = () => createTestServer({ env, options: { rateLimits } })
  servers = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await postgres.stop()
})

/** The member, signed in at the other process as well. */
async function atBoth(member: Member): Promise<[Caller, Caller]> {
  const visitor = servers[1].visitor()
  const { username } = member.user
  await visitor.call(session.login, { body: { username, password: member.password } })
  return [member, visitor]
}

const stored = ({ connection }: Talk) =>
  servers[0].core.db.read.all<{ id: string; seq: number }>(
    'select id, seq from messages where connection_id = ? order by seq',
    [connection.id],
  )

test('two processes that store messages of the same connections use each number once', async () => {
  const talks: Talk[] = []
  for (let at = 0; at < 8; at++) talks.push(await createTalk(servers[0]))
  const people = await Promise.all(
    talks.map(async (talk) => {
      await talk.send(talk.anna)
      await talk.send(talk.ben)
      return { talk, anna: await atBoth(talk.anna), ben: await atBoth(talk.ben) }
    }),
  )
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, at) => at).flatMap((at) =>
      people.flatMap(({ talk, anna, ben }) => [
        (anna[at % 2] as Caller).call(messages.send, { body: talk.text(talk.anna) }),
        (ben[(at + 1) % 2] as Caller).call(messages.send, { body: talk.text(talk.ben) }),
      ]),
    ),
  )
  for (const talk of talks) {
    const mine = sent.filter((one) => one.connectionId === talk.connection.id)
    expect(mine).toHaveLength(120)
    const rows = await stored(talk)
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 122 }, (_, at) => at + 1))
    expect(new Set(rows.slice(2).map(({ id, seq }) => `${id} ${seq}`))).toEqual(
      new Set(mine.map((one) => `${one.id} ${one.seq}`)),
    )
  }
  const rows = await servers[0].core.db.read.all<{ messages: number }>(
    'select sum(messages) as messages from message_minutes',
  )
  expect(rows).toEqual([{ messages: 8 * 122 }])
})

test('the same message sent to two processes at once is stored once', async () => {
  const talk = await createTalk(servers[0])
  await talk.send(talk.anna)
  const anna = await atBoth(talk.anna)
  const bodies = Array.from({ length: 40 }, () => talk.text(talk.anna))
  const answers = await Promise.all(
    bodies.flatMap((body) => anna.map((caller) => caller.request('POST', '/api/messages', body))),
  )
  for (let at = 0; at < answers.length; at += 2) {
    const pair = answers.slice(at, at + 2)
    expect(pair.map(({ status }) => status).toSorted()).toEqual([200, 201])
    expect(pair[0]?.body).toEqual(pair[1]?.body)
  }
  expect((await stored(talk)).map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1))
})

test('a message never outlives the removal of its connection by another process', async () => {
  const talk = await createTalk(servers[0])
  await talk.send(talk.anna)
  const [, anna] = await atBoth(talk.anna)
  const sending = Array.from({ length: 30 }, () => anna.request('POST', '/api/messages', talk.text(talk.anna)))
  const removal = talk.ben.request('DELETE', `/api/connections/${talk.connection.id}`)
  const answers = await Promise.all(sending)
  expect((await removal).status).toBe(200)
  for (const { status, body } of answers)
    if (status !== 201) expect(body).toMatchObject({ code: 'CONNECTION_NOT_FOUND' })
  await servers[0].app.settled()
  await servers[0].advance(60_000)
  expect(await stored(talk)).toEqual([])
})

test('two processes that take turns in one conversation number it without doing anything again', async () => {
  const talk = await createTalk(servers[0])
  const [anna, ben] = [await atBoth(talk.anna), await atBoth(talk.ben)]
  await talk.send(talk.anna)
  await talk.send(talk.ben)
  const repeated = async () => {
    const all = await Promise.all(servers.map(({ core }) => core.metrics.write()))
    return all.map((lines) => /^privity_db_repeats_total (\d+)/m.exec(lines)?.[1])
  }
  const before = await repeated()
  for (let at = 0; at < 30; at++) {
    await anna[at % 2 === 0 ? 0 : 1].call(messages.send, { body: talk.text(talk.anna) })
    await ben[at % 3 === 0 ? 0 : 1].call(messages.send, { body: talk.text(talk.ben) })
  }
  expect((await stored(talk)).map(({ seq }) => seq)).toEqual(Array.from({ length: 62 }, (_, at) => at + 1))
  expect(before).toEqual([expect.any(String), expect.any(String)])
  expect(await repeated()).toEqual(before)
})

test('the next message in a conversation obeys a change that another process made to the contact', async () => {
  const talk = await createTalk(servers[0])
  const anna = await atBoth(talk.anna)
  await talk.send(talk.anna)
  for (const at of [0, 1] as const) {
    for (let n = 0; n < 3; n++) await anna[at].call(messages.send, { body: talk.text(talk.anna) })
    const change = (suspended: number) =>
      servers[1 - at]?.core.db.write((tx) =>
        tx.run('update users set suspended = ? where id = ?', [suspended, talk.ben.user.id]),
      )
    await change(1)
    const refused = await anna[at].request('POST', '/api/messages', talk.text(talk.anna))
    expect(refused.body).toMatchObject({ code: 'PEER_UNAVAILABLE' })
    await change(0)
    await anna[at].call(messages.send, { body: talk.text(talk.anna) })
  }
  expect((await stored(talk)).map(({ seq }) => seq)).toEqual(Array.from({ length: 9 }, (_, at) => at + 1))
})

test('a message that waits for another process to set a lifetime has the new one', async () => {
  const talk = await createTalk(servers[0])
  const { anna, connection } = talk
  for (let before = 0; before < 2; before++) await talk.send(anna)
  const { db } = servers[1].core
  const [lifetime] = limits.lifetimes
  const waiting = () =>
    db.read.get<{ n: number }>("select count(*) as n from pg_stat_activity where wait_event_type = 'Lock'", [])
  const sending = await db.write(async (tx) => {
    await tx.run('update connections set lifetime = ? where id = ?', [lifetime, connection.id])
    const sent = anna.call(messages.send, { body: talk.text(anna) })
    await vi.waitFor(async () => expect((await waiting())?.n).toBe(1), 10_000)
    return { sent }
  })
  const { createdAt, expiresAt } = await sending.sent
  expect(expiresAt - createdAt).toBe(lifetime)
})

test('a message that two processes delete at once is deleted and audited once', async () => {
  const talk = await createTalk(servers[0])
  const anna = await atBoth(talk.anna)
  const audited = () =>
    servers[0].core.db.read.get<{ n: number }>(
      "select count(*) as n from audit_log where action = 'message_deleted' and actor_id = ?",
      [talk.anna.user.id],
    )
  for (let n = 1; n <= 10; n++) {
    const deletion = deletionOf(talk.anna, await talk.send(talk.anna))
    const [one, other] = await Promise.all(anna.map((caller) => caller.call(messages.delete, deletion)))
    expect(one).toEqual(other)
    expect(Number((await audited())?.n)).toBe(n)
  }
})
