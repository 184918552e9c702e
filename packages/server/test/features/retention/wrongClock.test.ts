import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { scanMessages } from '../../../src/features/founder/moderation/scan.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { failSignIn } from '../../support/founder/incidents.ts'
import { floodOf, makeReport } from '../../support/founder/moderation.ts'
import { createTalk, upload } from '../../support/scenes/conversation.ts'
import { ask, switchDirectoryOn } from '../../support/scenes/directory.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const count = async (server: TestServer, table: string) =>
  (await server.core.db.read.get<{ n: number }>(`select count(*) as n from ${table}`))?.n

async function send(server: TestServer): Promise<void> {
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.sendFile(talk.anna)
}

/** Runs `work` while the clock is 60 days ahead; the clock is right since a minute ago. */
async function ahead(server: TestServer, work: () => Promise<unknown>): Promise<void> {
  server.clock.ahead = 60 * day
  await work()
  server.clock.ahead = 0
  await server.advance(minute)
}

/** A message and a file sent while the clock was 60 days ahead. */
const sendAhead = (server: TestServer) => ahead(server, () => send(server))

test.each(['messages', 'envelopes', 'files'])('%s dated by a clock that was ahead live for 24 hours', async (table) => {
  await using server = await createTestServer()
  await sendAhead(server)
  await server.advance(hour)
  await server.advance(limits.retention - hour - 2 * minute)
  expect(await count(server, table)).toBeGreaterThan(0)
  await server.advance(2 * minute)
  expect(await count(server, table)).toBe(0)
})

test('an envelope that is in use keeps its end while the clock is right', async () => {
  await using server = await createTestServer()
  await server.advance(2 * hour)
  const talk = await createTalk(server)
  server.clock.ahead = 6 * minute
  await talk.send(talk.anna)
  server.clock.ahead = 0
  const ends = () => server.core.db.read.all('select expires_at from envelopes')
  const before = await ends()
  await server.advance(15_000)
  expect(await ends()).toEqual(before)
})

test('an unsent upload dated by a clock that was ahead goes an hour after the clock is right', async () => {
  await using server = await createTestServer()
  await ahead(server, async () => upload(await server.signUp(), new Uint8Array(1000)))
  await server.advance(hour - 2 * minute)
  expect(await count(server, 'uploads')).toBe(1)
  await server.advance(13 * minute)
  expect(await count(server, 'uploads')).toBe(0)
})

test('reports dated by a clock that was ahead live for 30 days', async () => {
  await using server = await createTestServer()
  await ahead(server, async () => makeReport(server, await createTalk(server)))
  await server.advance(hour)
  await server.advance(limits.reportsKept - hour - 2 * minute)
  expect(await count(server, 'message_flags')).toBe(1)
  await server.advance(2 * minute)
  expect(await count(server, 'message_flags')).toBe(0)
})

test('notifications dated by a clock that was ahead live for 30 days', async () => {
  await using server = await createTestServer()
  await sendAhead(server)
  await server.advance(hour)
  await server.advance(limits.notificationAge - hour - 2 * minute)
  expect(await count(server, 'notifications')).toBeGreaterThan(0)
  await server.advance(2 * minute)
  expect(await count(server, 'notifications')).toBe(0)
})

test('a request to connect dated by a clock that was ahead lives for 7 days', async () => {
  await using server = await createTestServer()
  await switchDirectoryOn(server)
  await ahead(server, async () => ask(await server.signUp(), await server.signUp()))
  const open = () => count(server, `connection_requests where expires_at > ${server.clock.now()}`)
  await server.advance(hour)
  await server.advance(limits.connectionRequestKept - hour - 2 * minute)
  expect(await open()).toBe(1)
  await server.advance(2 * minute)
  expect(await open()).toBe(0)
  await server.advance(limits.connectionRequestsApart)
  expect(await count(server, 'connection_requests')).toBe(0)
})

test('a former contact dated by a clock that was ahead is kept for 24 hours', async () => {
  await using server = await createTestServer()
  await ahead(server, async () => {
    const { anna, connection } = await createTalk(server)
    await anna.call(connections.remove, { params: connection })
  })
  await server.advance(hour)
  await server.advance(limits.formerContactKept - hour - 2 * minute)
  expect(await count(server, 'former_contacts')).toBe(2)
  await server.advance(2 * minute)
  expect(await count(server, 'former_contacts')).toBe(0)
})

test.each([
  ['addresses in the audit log', 'audit_addresses', limits.auditAddressesKept],
  ['security events', 'security_events', limits.securityEventsKept],
])('%s dated by a clock that was ahead live for 90 days', async (_, table, kept) => {
  await using server = await createTestServer()
  await ahead(server, async () => {
    const { user } = await server.signUp()
    await failSignIn(server, user.username, '203.0.113.1')
  })
  const before = await count(server, table)
  expect(before).toBeGreaterThan(0)
  await server.advance(hour)
  await server.advance(kept - 2 * hour)
  expect(await count(server, table)).toBe(before)
  await server.advance(2 * hour)
  expect(await count(server, table)).toBe(0)
})

test('flags of a scan that a clock ahead has dated go with their message', async () => {
  await using server = await createTestServer()
  await ahead(server, async () => {
    await floodOf(server, await createTalk(server), 20)
    server.clock.advance(minute)
    expect(await scanMessages(server.core, { address: '' })).toBe(1)
  })
  await server.advance(hour)
  await server.advance(limits.retention + minute)
  expect(await count(server, 'messages')).toBe(0)
  expect(await count(server, 'message_flags')).toBe(0)
})

test('seeds dated by a clock that was ahead are destroyed 25 hours later, though nobody is there', async () => {
  await using server = await createTestServer()
  await sendAhead(server)
  await server.advance(hour)
  expect(await count(server, 'epochs where wrapped_seed is not null')).toBeGreaterThan(0)
  await server.advance(limits.retention + minute)
  expect(await count(server, 'epochs where wrapped_seed is not null')).toBe(0)
})

test.each(['messages', 'files', 'epochs where wrapped_seed is not null'])(
  'a clock put back for less than an hour destroys no %s',
  async (table) => {
    await using server = await createTestServer()
    await server.advance(2 * hour)
    await send(server)
    const before = await count(server, table)
    server.clock.ahead = -60 * day
    for (let i = 0; i < 59; i++) await server.advance(minute)
    server.clock.ahead = 0
    for (let i = 0; i < 5; i++) await server.advance(minute)
    expect(await count(server, table)).toBe(before)
  },
)

test('a restart begins the hour anew, in which the clock may be behind', async () => {
  await using server = await createTestServer()
  await sendAhead(server)
  await server.advance(hour - 2 * minute)
  await server.restart()
  await server.advance(hour - 2 * minute)
  const latest = server.clock.now() + 2 * day
  expect(await count(server, `messages where expires_at > ${latest}`)).toBe(2)
  await server.advance(3 * minute)
  expect(await count(server, `messages where expires_at > ${latest}`)).toBe(0)
})
