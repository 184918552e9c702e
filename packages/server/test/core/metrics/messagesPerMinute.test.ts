import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections } from '@privity/contract/connections'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import {
  countSentLastDay,
  countSentPerMinute,
  createSentMessages,
} from '../../../src/core/metrics/messagesPerMinute.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createCaller } from '../../support/server/caller.ts'
import { makeKeys } from '../../support/server/memberKeys.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { ask } from '../../support/database/storedBytes.ts'

// Each round starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const minute = 60_000

const stored = ({ core }: TestServer) =>
  core.db.read.all<{ minute: number; process: string; messages: number }>(
    'select minute, process, messages from message_minutes order by minute, messages',
  )

const lastDay = ({ core, clock }: TestServer) => countSentLastDay(core.db.read, clock.now())

test('a message is counted with its storing, in the row of its minute', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.send(talk.ben)
  const first = Math.floor(server.clock.now() / minute)
  expect(await stored(server)).toMatchObject([{ minute: first, messages: 2 }])
  await server.advance(minute)
  await talk.send(talk.anna)
  expect(await stored(server)).toMatchObject([
    { minute: first, messages: 2 },
    { minute: first + 1, messages: 1 },
  ])
  expect(await lastDay(server)).toBe(3)
  expect(await countSentPerMinute(server.core.db.read, server.clock.now(), 3)).toEqual([0, 2, 1])
})

test('a removed connection takes its messages with it, not their number', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
  await server.app.settled()
  await expect.poll(() => server.core.db.read.get('select 1 from messages')).toBeUndefined()
  expect(await lastDay(server)).toBe(1)
})

test('every process has rows of its own, and the numbers are their sum', async () => {
  await using server = await createTestServer()
  const now = server.clock.now()
  const [one, other] = [createSentMessages('one'), createSentMessages('other')]
  await server.core.db.write(async (tx) => {
    await one.count(tx, now - minute, 3)
    await one.count(tx, now, 1)
    await other.count(tx, now, 2)
    await one.count(tx, now, 4)
  })
  expect((await stored(server)).map(({ messages: sent }) => sent)).toEqual([3, 2, 5])
  expect(await lastDay(server)).toBe(10)
  expect(await countSentPerMinute(server.core.db.read, now, 2)).toEqual([3, 7])
})

test('minutes go after a day', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await server.advance(24 * 60 * minute)
  expect(await lastDay(server)).toBe(1)
  await server.advance(minute)
  expect(await lastDay(server)).toBe(0)
  expect(await stored(server)).toEqual([])
})

/** Two connected members of a server that runs as a separate process. */
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
  const counted = await ask<{ messages: number }>(dataDir, 'select sum(messages) as messages from message_minutes')
  expect(counted).toEqual([{ messages: sent }])
  await rm(dataDir, { recursive: true, force: true })
})
