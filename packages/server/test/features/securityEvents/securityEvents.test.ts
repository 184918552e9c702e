import type { Endpoint } from '@privity/contract/endpoint'
import { limits, rateLimits } from '@privity/contract/limits'
import { reportable, securityEvents, type SecurityEventType } from '@privity/contract/securityEvents'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SecurityEventRow } from '../../../src/core/database/tables/security.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'

let server: TestServer
let member: Member
beforeAll(async () => {
  server = await createTestServer({
    options: { rateLimits: { other: { requests: 100_000, window: 1000 } } },
  })
  member = await server.signUp()
})
afterAll(() => server.close())

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

const event = (over: object = {}) => ({
  eventType: 'screenshot_attempt' as SecurityEventType,
  eventDescription: 'PrintScreen was pressed',
  pageUrl: '/settings',
  severity: 'high' as const,
  metadata: { key: 'PrintScreen', repeated: 2, mac: false, note: null },
  sessionId: 'unknown',
  ...over,
})

const stored = ({ core }: TestServer = server) =>
  core.db.read.all<SecurityEventRow>('select * from security_events order by rowid')
const entries = ({ core }: TestServer = server) => selectAudit(core.db.read, "action = 'security_event_reported'")

describe('POST /api/security-audit', () => {
  test('stores exactly what was reported, who and from where, with an audit entry', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    const answer = await anna.request('POST', '/api/security-audit', event({ sessionId: 'tab-1' }))
    expect([answer.status, answer.body]).toEqual([200, {}])
    const [row] = await stored(own)
    expect(row).toMatchObject({
      event_type: 'screenshot_attempt',
      event_description: 'PrintScreen was pressed',
      severity: 'high',
      user_id: anna.user.id,
      address: anna.address,
      page_url: '/settings',
      session_id: 'tab-1',
      created_at: own.clock.now(),
      occurred_at: null,
    })
    expect(JSON.parse(row?.metadata ?? '')).toEqual({ key: 'PrintScreen', repeated: 2, mac: false, note: null })
    const [entry] = await entries(own)
    expect(entry).toMatchObject({ actor_id: anna.user.id, target_id: row?.id, address: anna.address })
    expect(JSON.parse(entry?.details ?? '')).toEqual({
      eventType: 'screenshot_attempt',
      severity: 'high',
      path: '/settings',
    })
  })

  test('keeps the path of an address and nothing of what follows', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    for (const pageUrl of [
      'https://chat.example.org/settings?invitation=secret#secret',
      'http://localhost:3000/',
      '/about?secret',
      'http://[::1]:3000/help-support',
      'http://[/settings?secret',
      '///?secret',
    ])
      await anna.call(securityEvents.report, { body: event({ pageUrl }) })
    expect((await stored(own)).map(({ page_url }) => page_url)).toEqual([
      '/settings',
      '/',
      '/about',
      '/help-support',
      '/settings',
      '///',
    ])
    expect(JSON.stringify([await stored(own), await entries(own)])).not.toContain('secret')
  })

  test.each(Object.keys(reportable) as SecurityEventType[])('%s has its own severities only', async (eventType) => {
    for (const severity of ['low', 'medium', 'high', 'critical'] as const) {
      const answer = await member.request('POST', '/api/security-audit', event({ eventType, severity }))
      const may = (reportable[eventType] as readonly string[]).includes(severity)
      expect(answer.status, severity).toBe(may ? 200 : 400)
      if (!may) expect(answer.body).toMatchObject({ code: 'INVALID_INPUT', details: [{ path: 'severity' }] })
    }
  })

  test('stores an event once, however often it is sent; another account may have the same id', async () => {
    const before = [(await stored()).length, (await entries()).length]
    const other = await server.signUp()
    for (let times = 0; times < 3; times++) await member.call(securityEvents.report, { body: event({ id: id(1) }) })
    await Promise.all([1, 2].map(() => other.call(securityEvents.report, { body: event({ id: id(1) }) })))
    expect([(await stored()).length, (await entries()).length]).toEqual(before.map((count) => count + 2))
  })

  test("the browser's time is kept beside the server's, and is never in the future", async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    const now = own.clock.now()
    for (const occurredAt of [now - 60_000, now + 60_000])
      await anna.call(securityEvents.report, { body: event({ occurredAt }) })
    expect((await stored(own)).map((row) => [row.created_at, row.occurred_at])).toEqual([
      [now, now - 60_000],
      [now, now],
    ])
  })
})

describe('POST /api/security-audit/batch', () => {
  test('stores all, each with its entry, and leaves out what it has', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    await anna.call(securityEvents.report, { body: event({ id: id(1) }) })
    const events = [1, 2, 3].map((n) => event({ id: id(n) }))
    await anna.call(securityEvents.reportMany, { body: { events } })
    await anna.call(securityEvents.reportMany, { body: { events: [...events, event({ id: id(4) })] } })
    expect((await stored(own)).map(({ client_id }) => client_id).sort()).toEqual([1, 2, 3, 4].map(id))
    expect(await entries(own)).toHaveLength(4)
  })

  test('one bad event refuses all of them', async () => {
    const before = await stored()
    const answer = await member.request('POST', '/api/security-audit/batch', {
      events: [event(), event({ eventType: 'typed_a_secret' })],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: [{ path: 'events.1.eventType' }] },
    })
    expect(await stored()).toEqual(before)
  })

  test.each([0, limits.securityEventsBatch + 1])('refuses %d events', async (count) => {
    const events = Array.from({ length: count }, () => event())
    const answer = await member.request('POST', '/api/security-audit/batch', { events })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })
})

test('a call with more events than the limit is refused until the window ends and stores none', async () => {
  await using own = await createTestServer()
  const [anna, ben] = [await own.signUp(), await own.signUp()]
  const { requests, window } = rateLimits.securityEvent
  const batch = (count: number) => ({ body: { events: Array.from({ length: count }, () => event()) } })
  for (let at = 0; at < requests - 10; at += 10) await anna.call(securityEvents.reportMany, batch(10))
  const refused = await anna.refused(securityEvents.reportMany, batch(11))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(window / 1000)])
  expect(await stored(own)).toHaveLength(requests - 10)
  await anna.call(securityEvents.reportMany, batch(10))
  expect((await anna.refused(securityEvents.report, { body: event() })).status).toBe(429)
  await ben.call(securityEvents.report, { body: event() })
  own.clock.advance(window)
  await anna.call(securityEvents.report, { body: event() })
})

const spoilt: Record<string, unknown[]> = {
  eventType: ['', 'screenshot', 'SCREENSHOT_ATTEMPT', 'failed_sign_in', '__proto__', 'constructor', null, 5, [], {}],
  eventDescription: ['', '  ', 'x'.repeat(201), 'a\0b', 'a\nb', '\u202Eabc', null, 5, {}],
  pageUrl: [
    '',
    'settings',
    'javascript:alert(1)',
    '/a b',
    `/${'x'.repeat(129)}`,
    '/ü',
    '/<b>',
    `/?${'x'.repeat(2048)}`,
    null,
  ],
  severity: ['', 'HIGH', 'urgent', 3, null],
  metadata: [
    null,
    'text',
    [],
    { nested: {} },
    { list: [] },
    { long: 'x'.repeat(65) },
    { 'not a name': 1 },
    { ['x'.repeat(33)]: 1 },
    Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`n${n}`, n])),
  ],
  sessionId: ['', 'a b', 'x'.repeat(65), 'ü', null, 5],
  id: ['', 'x', 5, null, '01900000-0000-7000-8000-00000000000G'],
  occurredAt: [-1, 1.5, '1', null],
}

describe.each(Object.entries(spoilt))('bad %s', (field, values) => {
  test.each(values.map((value) => [value]))('%j is refused and nothing is stored', async (value) => {
    const before = [await stored(), await entries()]
    for (const endpoint of [securityEvents.report, securityEvents.reportMany] as Endpoint[]) {
      const bad = { ...event(), [field]: value }
      const body = endpoint === securityEvents.report ? bad : { events: [bad] }
      const answer = await member.request('POST', endpoint.path, body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
      expect(JSON.stringify((answer.body as { details: unknown }).details)).toContain(field)
    }
    expect([await stored(), await entries()]).toEqual(before)
  })
})

test.each(['eventType', 'eventDescription', 'pageUrl', 'severity', 'sessionId'])(
  '%s may not be left out',
  async (field) => {
    const answer = await member.request('POST', '/api/security-audit', { ...event(), [field]: undefined })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
  },
)

test('a body over its bound is refused', async () => {
  const answer = await member.request('POST', '/api/security-audit', { ...event(), padding: 'x'.repeat(8 * 1024) })
  expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
})

test('events are forgotten after 90 days; that they were reported stays in the audit log', async () => {
  await using own = await createTestServer()
  const anna = await own.signUp()
  await anna.call(securityEvents.report, { body: event() })
  await own.advance(limits.securityEventsKept - 1)
  expect(await stored(own)).toHaveLength(1)
  await own.advance(60 * 60_000)
  expect(await stored(own)).toEqual([])
  expect(await entries(own)).toHaveLength(1)
})
