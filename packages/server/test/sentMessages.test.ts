import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections } from '@privity/contract/connections'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { openDb } from '../src/core/db.ts'
import { openSentMessages } from '../src/core/sentMessages.ts'
import { createTestServer, type Member, type TestServer } from './harness.ts'
import { createCaller } from './harnessClient.ts'
import { makeKeys } from './harnessKeys.ts'
import { startProcess } from './harnessProcess.ts'
import { createTalk } from './harnessTalk.ts'

// Each round starts a process, which takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000 })

const minute = 60_000

const stored = ({ core }: TestServer) =>
  core.db.read.all<{ minute: number; messages: number }>('select minute, messages from message_minutes order by minute')

/** What a process started now on the same data would count. */
const reopened = async ({ core, clock }: TestServer) =>
  (await openSentMessages(core.db, clock.now())).lastDay(clock.now())

test('what was counted is written down in batches, and at a stop', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.send(talk.ben)
  expect(await stored(server)).toEqual([])
  await server.advance(10_000)
  const first = server.clock.now() / minute
  expect(await stored(server)).toEqual([{ minute: Math.floor(first), messages: 2 }])
  await server.advance(minute)
  await talk.send(talk.anna)
  await server.restart()
  expect((await stored(server)).map(({ messages }) => messages)).toEqual([2, 1])
  expect(server.core.sentMessages.lastDay(server.clock.now())).toBe(3)
})

test('nothing is written while nothing is sent', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await server.advance(10_000)
  const write = vi.spyOn(server.core.db, 'write')
  await server.core.sentMessages.save(server.clock.now())
  expect(write).not.toHaveBeenCalled()
})

test('a failed writing is made up for by the next one', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  vi.spyOn(server.core.db, 'write').mockRejectedValueOnce(new Error('the disk is full'))
  await expect(server.core.sentMessages.save(server.clock.now())).rejects.toThrow('full')
  await server.core.sentMessages.save(server.clock.now())
  expect((await stored(server)).map(({ messages }) => messages)).toEqual([1])
})

test('a start after a kill counts what was not written down, and nothing twice', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  expect(await reopened(server)).toBe(0)
  await talk.send(talk.anna)
  expect(await reopened(server)).toBe(1)
  await server.advance(10_000)
  await talk.send(talk.anna)
  expect(await reopened(server)).toBe(2)
  await server.advance(2 * minute)
  expect(await reopened(server)).toBe(2)
})

test('what was written down holds after a kill where its messages are gone; what was not, is only as good as them', async () => {
  await using server = await createTestServer()
  const [talk, other] = [await createTalk(server), await createTalk(server)]
  await talk.send(talk.anna)
  await other.send(other.anna)
  await server.advance(10_000)
  await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
  await server.advance(15_000)
  expect(await reopened(server)).toBe(2)
  await server.advance(minute)
  await other.send(other.anna)
  await other.anna.call(connections.remove, { params: { id: other.connection.id } })
  await server.app.settled()
  await vi.waitFor(async () => expect(await server.core.db.read.get('select 1 from messages')).toBeUndefined())
  expect(server.core.sentMessages.lastDay(server.clock.now())).toBe(3)
  // The one message that was removed within the seconds before: the stated limit.
  expect(await reopened(server)).toBe(2)
})

test('more messages than are read at a time are counted again, of the minutes that may lack some', async () => {
  await using server = await createTestServer()
  const now = server.clock.now()
  await server.core.db.write(async (tx) => {
    await tx.run('insert into message_minutes (minute, messages) values (?, 7)', [Math.floor(now / minute) - 2])
    for (let n = 0; n < 2_500; n++) {
      const at = now - (n < 10 ? 5 : n < 20 ? 2 : n < 1_500 ? 1 : 0) * minute
      await tx.run(
        `insert into messages (id, connection_id, seq, sender_id, envelope_id, message_type, created_at, expires_at, content)
         values (?, 'c', ?, 's', 'e', 'text', ?, ?, '')`,
        [`m${n}`, n, at, at + 24 * 60 * minute],
      )
    }
  })
  const counted = await openSentMessages(server.core.db, now)
  // Of the minutes before the last one written down, that is what counts; of that one, the more.
  expect(counted.perMinute(now, 6)).toEqual([0, 0, 0, 10, 1_480, 1_000])
})

/** Two connected members of a server that runs as a process of its own. */
function talkAt(url: () => string) {
  let members = 0
  async function signUp(): Promise<Member> {
    members += 1
    const username = `member${members}`
    const caller = createCaller(url)
    const made = makeKeys(Date.now())
    const body = { username, password: username, firstName: 'A', lastName: 'B', email: `${username}@example.com` }
    const user = await caller.call(session.register, { body: { ...body, keys: made } })
    return { ...caller, user, password: username, keys: made, socket: () => Promise.reject(new Error('not needed')) }
  }
  const connect = (one: Member, { user }: Member) =>
    one.call(connections.create, { body: { connectionCode: user.connectionCode } })
  return createTalk({ signUp, connect })
}

test('every message that was answered before SIGKILL is counted after it, kill after kill', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-killed-'))
  const start = () => startProcess({ DATA_DIR: dataDir, DEMO: '0', TRUST_PROXY: '1' })
  let server = await start()
  const talk = await talkAt(() => server.facts.url)
  let sent = 0
  for (const messages of [12, 7, 0, 1]) {
    for (let n = 0; n < messages; n++) await talk.send(talk.anna)
    sent += messages
    await server.stop('SIGKILL')
    server = await start()
  }
  await server.stop('SIGKILL')
  const db = await openDb(join(dataDir, 'privity.db'), { onError: () => {} })
  expect((await openSentMessages(db, Date.now())).lastDay(Date.now())).toBe(sent)
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('SIGTERM leaves every message written down', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-stopped-'))
  const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0', TRUST_PROXY: '1' })
  const talk = await talkAt(() => server.facts.url)
  for (let n = 0; n < 5; n++) await talk.send(talk.anna)
  expect(await server.stop('SIGTERM')).toBe(0)
  const db = await openDb(join(dataDir, 'privity.db'), { onError: () => {} })
  expect(await db.read.get('select sum(messages) as messages from message_minutes')).toEqual({ messages: 5 })
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})
