import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { moderation } from '@privity/contract/founder/moderation'
import { monitoring } from '@privity/contract/founder/monitoring'
import { organization, userAdministration } from '@privity/contract/organization'
import { securityEvents } from '@privity/contract/securityEvents'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { recordSecurityEvent } from '../../../../src/core/audit/securityEvents.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { makeReport } from '../../../support/founder/moderation.ts'
import { withFounder } from '../../../support/founder/monitoring.ts'
import { createTalk } from '../../../support/scenes/conversation.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const minute = 60_000
const hour = 60 * minute

const wrongPassword = (server: TestServer, username: string, browser: Caller = server.visitor()) =>
  browser.refused(session.login, { body: { username, password: 'a guess' } })

test('a fresh deployment has nobody and nothing, and says so', async () => {
  await using own = await withFounder()
  expect(await own.stats()).toMatchObject({
    activeUsers: 0,
    activeSessions: 0,
    messagesLast24h: 0,
    connectionsLast24h: 0,
    flaggedMessagesCount: 0,
    lockedAccountsCount: 0,
    recentEvents: [],
  })
})

test('active users are those whose browser was used in the last 15 minutes, each once', async () => {
  await using own = await withFounder()
  const { server } = own
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  expect((await own.stats()).activeUsers).toBe(2)
  // A second browser of the same person does not count.
  const other = server.visitor()
  await other.call(session.login, { body: { username: anna.user.username, password: anna.password } })
  expect(await own.stats()).toMatchObject({ activeUsers: 2, activeSessions: 3 })

  await server.advance(15 * minute - 1)
  expect((await own.stats()).activeUsers).toBe(2)
  await server.advance(1)
  expect((await own.stats()).activeUsers).toBe(0)
  // A use that is known only in memory counts at once.
  await ben.call(connections.list, {})
  expect((await own.stats()).activeUsers).toBe(1)
  await server.restart()
  expect((await own.stats()).activeUsers).toBe(1)
})

test('what a browser asks by itself makes nobody active', async () => {
  await using own = await withFounder()
  const anna = await own.server.signUp()
  await own.server.advance(15 * minute)
  await anna.request('GET', '/api/unread-counts')
  expect((await own.stats()).activeUsers).toBe(0)
})

test('active sessions are usable ones: they end with sign-out, their account, or disuse', async () => {
  await using own = await withFounder()
  const { server } = own
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  await server.signUp()
  expect((await own.stats()).activeSessions).toBe(3)
  await anna.call(session.logout, {})
  expect((await own.stats()).activeSessions).toBe(2)
  await ben.call(account.remove, { body: { username: ben.user.username, password: ben.password } })
  expect((await own.stats()).activeSessions).toBe(1)
  await server.advance(24 * hour - 1)
  await own.signInAgain()
  expect((await own.stats()).activeSessions).toBe(1)
  server.clock.advance(1)
  expect((await own.stats()).activeSessions).toBe(0)
})

test('messages of the last 24 hours are those sent, to the minute, and not those that are left', async () => {
  await using own = await withFounder()
  const { server } = own
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.send(talk.ben)
  expect((await own.stats()).messagesLast24h).toBe(2)
  await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
  await server.advance(minute)
  expect(await server.core.db.read.get('select 1 from messages')).toBeUndefined()
  expect((await own.stats()).messagesLast24h).toBe(2)

  await server.advance(24 * hour - minute)
  await own.signInAgain()
  expect((await own.stats()).messagesLast24h).toBe(2)
  await server.advance(minute)
  expect((await own.stats()).messagesLast24h).toBe(0)
  // No record of message times is kept any longer.
  expect(await server.core.db.read.get('select 1 from message_minutes')).toBeUndefined()
})

test('a message that is sent again after a lost answer, or refused, is not counted again', async () => {
  await using own = await withFounder()
  const talk = await createTalk(own.server)
  const body = talk.text(talk.anna)
  expect((await talk.anna.request('POST', '/api/messages', body)).status).toBe(201)
  expect((await talk.anna.request('POST', '/api/messages', body)).status).toBe(200)
  expect((await talk.anna.request('POST', '/api/messages', { ...body, content: 'plain' })).status).toBe(400)
  expect((await own.stats()).messagesLast24h).toBe(1)
})

test('connections of the last 24 hours are those created, to the minute, not those left', async () => {
  await using own = await withFounder()
  const { server } = own
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  const { id } = await server.connect(anna, ben)
  expect((await own.stats()).connectionsLast24h).toBe(1)
  await ben.call(connections.remove, { params: { id } })
  expect((await own.stats()).connectionsLast24h).toBe(1)
  await server.restart()
  expect((await own.stats()).connectionsLast24h).toBe(1)
  await server.advance(24 * hour)
  await own.signInAgain()
  expect((await own.stats()).connectionsLast24h).toBe(1)
  await server.advance(10 * minute)
  expect((await own.stats()).connectionsLast24h).toBe(0)
  expect(await server.core.db.read.get('select 1 from connection_minutes')).toBeUndefined()
})

test('locked accounts are members with a lock that holds, each once, and no invented names', async () => {
  await using own = await withFounder()
  const { server } = own
  const anna = await server.signUp()
  for (let i = 0; i < 4; i++) await wrongPassword(server, anna.user.username)
  for (let i = 0; i < 5; i++) await wrongPassword(server, 'nobody')
  expect((await own.stats()).lockedAccountsCount).toBe(0)
  await wrongPassword(server, anna.user.username)
  expect((await own.stats()).lockedAccountsCount).toBe(1)
  // The member's own browser has a separate counter; both locks count as one account.
  for (let i = 0; i < 5; i++) await wrongPassword(server, anna.user.username, anna)
  expect((await own.stats()).lockedAccountsCount).toBe(1)
  await server.advance(15 * minute - 1)
  expect((await own.stats()).lockedAccountsCount).toBe(1)
  await server.advance(1)
  expect((await own.stats()).lockedAccountsCount).toBe(0)
})

test('the ten newest security events, newest first, with who did it where that is known', async () => {
  await using own = await withFounder()
  const { server } = own
  const anna = await server.signUp('anna')
  await wrongPassword(server, 'nobody')
  const reported = { pageUrl: '/', metadata: {}, sessionId: 'unknown', eventDescription: 'PrintScreen was pressed' }
  const print = { ...reported, eventType: 'screenshot_attempt', severity: 'high' } as const
  await anna.call(securityEvents.report, { body: print })
  const [newest, older, ...others] = (await own.stats()).recentEvents
  expect(newest).toMatchObject({
    eventType: 'screenshot_attempt',
    severity: 'high',
    username: 'anna',
    eventDescription: 'PrintScreen was pressed',
    createdAt: server.clock.now(),
  })
  expect(older).toMatchObject({ eventType: 'failed_sign_in', severity: 'low' })
  expect(older).not.toHaveProperty('username')
  expect(older).not.toHaveProperty('eventDescription')
  expect(others).toEqual([])

  await server.core.db.write(async (tx) => {
    for (let i = 0; i < 12; i++) await recordSecurityEvent(tx, { type: `event_${i}`, severity: 'low', at: i })
  })
  const types = async () => (await own.stats()).recentEvents.map(({ eventType }) => eventType)
  expect(await types()).toHaveLength(10)
  expect((await types()).slice(0, 4)).toEqual(['screenshot_attempt', 'failed_sign_in', 'event_11', 'event_10'])
  // The event stored last comes first if their times are equal.
  const at = server.clock.now() + 1
  await server.core.db.write(async (tx) => {
    for (const type of ['first', 'then']) await recordSecurityEvent(tx, { type, severity: 'low', at })
  })
  expect((await types()).slice(0, 2)).toEqual(['then', 'first'])
})

test('the series has the last 60 minutes, the current one last', async () => {
  await using own = await withFounder()
  const { server } = own
  const talk = await createTalk(server)
  const rate = () => own.founder.call(monitoring.messageRate, {})
  await talk.send(talk.anna)
  await server.advance(minute - 1)
  await talk.send(talk.anna)
  await server.advance(1)
  await talk.send(talk.ben)
  const now = await rate()
  expect(now.from).toBe(server.clock.now() - 59 * minute)
  expect(now.messages.slice(-3)).toEqual([0, 2, 1])
  expect(now.messages.slice(0, -2).every((messages) => messages === 0)).toBe(true)

  await server.advance(58 * minute)
  expect((await rate()).messages.slice(0, 3)).toEqual([2, 1, 0])
  await server.advance(minute - 1)
  expect((await rate()).messages[0]).toBe(2)
  await server.advance(1)
  expect((await rate()).messages.slice(0, 2)).toEqual([1, 0])
})

test('flags of a scan and reports are counted, marked in their minute, and gone once unflagged', async () => {
  await using own = await withFounder()
  const { server, founder } = own
  const talk = await createTalk(server)
  const rate = () => founder.call(monitoring.messageRate, {})
  await makeReport(server, talk)
  expect((await own.stats()).flaggedMessagesCount).toBe(1)
  expect((await rate()).flags.at(-1)).toBe(1)
  await server.advance(2 * minute)
  for (let n = 0; n < 20; n++) await talk.send(talk.ben)
  const { flaggedCount } = await founder.call(moderation.scan, {})
  expect(flaggedCount).toBeGreaterThan(0)
  expect((await own.stats()).flaggedMessagesCount).toBe(1 + flaggedCount)
  expect((await rate()).flags.slice(-3)).toEqual([1, 0, flaggedCount])
  for (const { id } of await founder.call(moderation.flagged, { query: {} }))
    await founder.call(moderation.unflag, { params: { id } })
  expect((await own.stats()).flaggedMessagesCount).toBe(0)
  expect((await rate()).flags.some((flags) => flags > 0)).toBe(false)
})

test('users are counted by state and role, whatever happens to them', async () => {
  await using own = await withFounder()
  const { server, founder } = own
  const stats = () => founder.call(monitoring.stats, {})
  expect(await stats()).toEqual({
    totalUsers: 0,
    activeUsers: 0,
    suspendedUsers: 0,
    usersByRole: { super_admin: 0, org_admin: 0, user: 0 },
  })
  const [admin, anna, ben] = [await server.signUp(), await server.signUp(), await server.signUp()]
  await server.core.db.write((tx) => tx.run("update users set role = 'super_admin' where id = ?", [admin.user.id]))
  expect(await stats()).toEqual({
    totalUsers: 3,
    activeUsers: 3,
    suspendedUsers: 0,
    usersByRole: { super_admin: 1, org_admin: 0, user: 2 },
  })
  await admin.call(userAdministration.setRole, { params: { id: anna.user.id }, body: { role: 'org_admin' } })
  await admin.call(userAdministration.setStatus, { params: { id: ben.user.id }, body: { isActive: false } })
  await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [anna.user.id]))
  expect(await stats()).toEqual({
    totalUsers: 3,
    activeUsers: 1,
    suspendedUsers: 1,
    usersByRole: { super_admin: 1, org_admin: 1, user: 1 },
  })
  await admin.call(userAdministration.remove, { params: { id: ben.user.id } })
  expect(await stats()).toMatchObject({ totalUsers: 2, usersByRole: { user: 0 } })
  expect((await admin.call(organization.current, {})).statistics.total).toBe(2)
})

test('an answer that says the same as the last one is not sent again', async () => {
  await using own = await withFounder()
  const paths = ['/api/founder/realtime-stats', '/api/founder/message-rate', '/api/founder/stats']
  for (const path of paths) {
    const first = await own.founder.fetch(path)
    const tag = first.headers.get('etag') ?? ''
    const again = await own.founder.fetch(path, { headers: { 'if-none-match': tag } })
    expect([first.status, again.status], path).toEqual([200, 304])
  }
})
