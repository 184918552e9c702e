import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections } from '@privity/contract/connections'
import { messages } from '@privity/contract/messages'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registryTimes } from '../../../src/core/database/processHeartbeat.ts'
import { change } from '../../../src/migrations/ddl.ts'
import { migrations, type Migrations } from '../../../src/migrations/list.ts'
import { createFakeClock, type FakeClock } from '../../support/server/fakeClock.ts'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { at, sharedEnv } from '../support/cluster.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

let postgres: PostgresServer
let redis: RedisServer
let folder: string
let clock: FakeClock
let started: TestServer[]
beforeEach(async () => {
  ;[postgres, redis] = [await startPostgres({ durable: false }), await startRedis()]
  folder = await mkdtemp(join(tmpdir(), 'privity-releases-'))
  clock = createFakeClock()
  started = []
})
afterEach(async () => {
  for (const server of started) await server.close()
  await Promise.all([postgres.stop(), redis.stop()])
  await rm(folder, { recursive: true })
})

let processes = 0
/** Starts a process of the release that has these migrations. */
async function start(of: Migrations = migrations): Promise<TestServer> {
  processes += 1
  const env = sharedEnv(postgres.url, redis.url)
  const many = { requests: 100_000, window: 1000 }
  const options = { migrations: of, rateLimits: { send: many, other: many } }
  const server = await createTestServer({ env, options, clock, dataDir: join(folder, String(processes)) })
  started.push(server)
  return server
}

const through = (member: Member, { url }: TestServer) => at(member, url)
const migratedOn = async ({ core }: TestServer) =>
  (await core.db.read.all<{ name: string }>('select name from kysely_migration')).map(({ name }) => name)

test('a process of the previous release serves during and after a migration, without loss', async () => {
  using added = createGate()
  using changed = createGate()
  const next: Migrations = {
    ...migrations,
    '900-adds': {
      async up(db) {
        await change(db, ['create table notes_of_next (id text primary key, noted_at integer not null) strict'])
        await added.pass()
      },
    },
    '901-adds-to-what-is-there': {
      async up(db) {
        await change(db, [
          'alter table messages add column of_next text',
          'alter table users add column of_next integer not null default 1',
          'alter table sessions add column of_next integer not null default 0',
          'create index messages_of_next on messages (of_next) where of_next is not null',
        ])
        await changed.pass()
      },
    },
  }
  const old = await start()
  const talk = await createTalk(old)
  const { anna, ben, connection } = talk
  const ofBen = await ben.socket()
  const acknowledged = [(await talk.send(anna)).id]
  const send = async (server: TestServer) => {
    const { id } = await through(anna, server).call(messages.send, { body: talk.text(anna) })
    acknowledged.push(id)
    return id
  }
  const read = async (server: TestServer) =>
    through(ben, server).call(messages.list, { params: { id: connection.id }, query: { limit: 100 } })

  const starting = start(next)
  await added.reached
  for (let n = 0; n < 5; n++) await send(old)
  expect(await read(old)).toHaveLength(6)
  added.open()
  await changed.reached
  // While the migration changes their tables, these calls wait and then succeed.
  const waiting = [send(old), send(old), through(ben, old).call(connections.list, {})]
  changed.open()
  await Promise.all(waiting)
  const newer = await starting
  expect(await migratedOn(newer)).toEqual(expect.arrayContaining(['900-adds', '901-adds-to-what-is-there']))

  const ofAnna = await connectSocket(newer.url, anna, anna.user.id)
  for (let n = 0; n < 10; n++) await send(n % 2 === 0 ? old : newer)
  const heard = new Set<string>()
  while (heard.size < acknowledged.length) heard.add((await ofBen.next('new_message')).message.id)
  expect(heard).toEqual(new Set(acknowledged))
  expect((await ofAnna.next('new_message')).message.connectionId).toBe(connection.id)
  // An account created at the old process exists at the new one, too.
  const carl = await old.signUp('carl')
  expect(await through(carl, newer).call(connections.list, {})).toEqual([])
  for (const server of [old, newer]) {
    const stored = await read(server)
    expect(stored.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted())
    expect(stored.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(acknowledged.map((_, n) => n + 1))
  }

  await old.app.close()
  started.splice(started.indexOf(old), 1)
  await send(newer)
  expect(await read(newer)).toHaveLength(acknowledged.length)
  await expect(start()).rejects.toThrow(/DATABASE_URL.*changed by a newer version.*900-adds.*Start that version/)
})

/** A migration that removes something that the previous release needs. */
const breaking: Migrations = {
  ...migrations,
  '900-takes-away': { alone: true, up: (db) => change(db, ['alter table alert_windows drop column held_back']) },
}

/** Keeps the heartbeats of the old processes going until the newer one has finished starting. */
async function whileTheyLive<T>(servers: readonly TestServer[], starting: Promise<T>): Promise<unknown> {
  let result: unknown
  const ended = starting.then(
    (value) => void (result = value),
    (error: unknown) => void (result = error),
  )
  while (result === undefined) {
    clock.advance(registryTimes.beat)
    await Promise.all(servers.map(({ app }) => app.settled()))
  }
  await ended
  return result
}

test('a release that cannot run beside the previous one refuses to start and changes nothing', async () => {
  const [one, other] = [await start(), await start()]
  const talk = await createTalk(one)
  await talk.send(talk.anna)
  const refused = await whileTheyLive([one, other], start(breaking))
  expect(refused).toMatchObject({ name: 'DatabaseUnusable' })
  expect(String(refused)).toMatch(/in use by servers that cannot go on.*Stop all of them, then start this one/)
  expect(await migratedOn(one)).not.toContain('900-takes-away')
  await talk.send(talk.anna)
  await through(talk.ben, other).call(messages.list, { params: { id: talk.connection.id }, query: {} })

  // One process has stopped, and one was killed: its row remains, without heartbeats.
  await one.app.close()
  started.splice(started.indexOf(one), 1)
  expect(await other.core.db.read.all('select 1 from processes')).toHaveLength(1)
  const newer = await start(breaking)
  expect(await migratedOn(newer)).toContain('900-takes-away')
  expect(await through(talk.anna, newer).call(connections.list, {})).toHaveLength(1)
})
