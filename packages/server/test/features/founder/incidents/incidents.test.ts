import { limits } from '@privity/contract/limits'
import { incidents } from '@privity/contract/founder/incidents'
import { userAdministration } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteUser } from '../../../../src/features/account/deletion.ts'
import { createBus, type OpenedIncident } from '../../../../src/core/cluster/bus.ts'
import type { Core } from '../../../../src/core/core.ts'
import { createMonitor } from '../../../../src/features/founder/incidents/monitor.ts'
import { administrativeActions } from '../../../../src/features/founder/incidents/queries.ts'
import { auditCases } from '../../../support/auditCases/auditCases.ts'
import { createGate } from '../../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { onPostgres } from '../../../support/database/testDatabase.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { join } from '../../../support/scenes/organization.ts'
import { failSignIn, report } from '../../../support/founder/incidents.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
let opened: OpenedIncident[]
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  founder = await signInFounder(server)
  hearOpened()
})
afterEach(() => server.close())

function hearOpened(): void {
  opened = []
  server.core.bus.subscribe('incidentOpened', (incident) => void opened.push(incident))
}

const list = (caller = founder) => caller.call(incidents.list, {})
const dashboard = () => founder.call(incidents.dashboard, {})
const fail = (username: string, address: string, times?: number) => failSignIn(server, username, address, times)

/** Advances to half past two at night in the server's time zone. */
async function untilNight(): Promise<void> {
  const at = new Date(server.clock.now())
  const night = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 2, 30).getTime()
  await server.advance(night - at.getTime())
}

describe('what is detected', () => {
  test('nothing at first', async () => {
    expect(await list()).toEqual([])
    expect(await dashboard()).toEqual({
      threatLevel: 'low',
      severityCounts: { critical: 0, high: 0, medium: 0, low: 0 },
      acknowledgedCount: 0,
      summaryStats: { bruteForceCount: 0, coordinatedAttackCount: 0 },
    })
  })

  test('failed sign-ins to one account from several addresses, with whom and from where', async () => {
    const amara = await server.signUp('amara')
    const from = server.clock.now()
    await fail('amara', '203.0.113.1', 2)
    await server.advance(60_000)
    await fail('amara', '203.0.113.2', 2)
    expect(await list()).toEqual([])
    // Events of the same millisecond have no order.
    server.clock.advance(1)
    await fail('amara', '203.0.113.3')
    const affectedUsers = [{ id: amara.user.id, username: 'amara' }]
    const affectedIPs = ['203.0.113.1', '203.0.113.2', '203.0.113.3']
    const both = {
      affectedUsers,
      affectedUserCount: 1,
      affectedIPs,
      affectedIPCount: 3,
      eventCount: 5,
      isCountCut: false,
    }
    const seen = { firstSeen: from, lastSeen: server.clock.now() }
    expect(await list()).toEqual([
      {
        id: `coordinated_attack:account:${amara.user.id}`,
        type: 'coordinated_attack',
        severity: 'high',
        description: 'Failed sign-ins to one account from 3 networks',
        ...both,
        ...seen,
      },
      {
        id: `brute_force_attack:account:${amara.user.id}`,
        type: 'brute_force_attack',
        severity: 'medium',
        description: '5 failed sign-ins to one account from 3 addresses',
        ...both,
        ...seen,
      },
    ])
    expect(await dashboard()).toEqual({
      threatLevel: 'high',
      severityCounts: { critical: 0, high: 1, medium: 1, low: 0 },
      acknowledgedCount: 0,
      summaryStats: { bruteForceCount: 5, coordinatedAttackCount: 1 },
    })
    await server.advance(limits.incidentOpen - 1)
    founder = await signInFounder(server)
    expect(await list()).toHaveLength(2)
    await server.advance(1)
    expect(await list()).toEqual([])
  })

  test('a name that nobody has: the attack is seen, nobody is affected, and the name is not stored', async () => {
    await fail('nobody.here', '203.0.113.1', 5)
    expect(await list()).toEqual([
      expect.objectContaining({ type: 'brute_force_attack', affectedUsers: [], affectedUserCount: 0, eventCount: 5 }),
    ])
    const rows = await server.core.db.read.all<{ account: string; user_id: null }>('select * from security_events')
    expect(JSON.stringify(rows)).not.toContain('nobody.here')
    expect(new Set(rows.map(({ account }) => account)).size).toBe(1)
  })

  test('the founder’s own account is attacked', async () => {
    const body = { username: 'founder', password: 'a guess' }
    for (let attempt = 0; attempt < 5; attempt++)
      await server.visitor('203.0.113.1').request('POST', '/api/founder/login', body)
    expect(await list()).toEqual([
      expect.objectContaining({
        type: 'brute_force_attack',
        severity: 'high',
        affectedUsers: [{ id: 'founder', username: 'founder' }],
      }),
    ])
  })

  test('sign-ups from one address, also of accounts that were deleted since', async () => {
    const members: Member[] = []
    for (let n = 0; n < 5; n++) members.push(await server.signUp(`bot${n}`, { address: '203.0.113.1' }))
    const userId = members[1]?.user.id as string
    await deleteUser(server.core, { userId, actorId: 'founder', address: undefined, action: 'user_deleted' })
    const found = (await list()).find(({ type }) => type === 'rapid_account_creation')
    expect(found).toMatchObject({ severity: 'medium', eventCount: 5, affectedIPs: ['203.0.113.1'] })
    expect(found?.affectedUsers.map(({ username }) => username)).toEqual(['bot0', null, 'bot2', 'bot3', 'bot4'])
  })

  test('what deterrents stopped, at the time at which it happened', async () => {
    const member = await server.signUp('amara')
    const noon = server.clock.now()
    await server.advance(6 * 60 * 60_000)
    const late = (hours: number) => report(member, { occurredAt: noon + hours * 60 * 60_000 })
    for (const hours of [0, 2, 4]) await late(hours)
    expect(await list(await signInFounder(server))).toEqual([])
    for (let n = 0; n < 12; n++) await report(member, { eventType: 'page_visibility_change', severity: 'low' })
    expect(await list(await signInFounder(server))).toEqual([])
    await late(2.5)
    await late(1.5)
    founder = await signInFounder(server)
    expect(await list()).toEqual([
      expect.objectContaining({
        type: 'suspicious_user_behavior',
        severity: 'high',
        eventCount: 3,
        firstSeen: noon + 1.5 * 60 * 60_000,
        lastSeen: noon + 2.5 * 60 * 60_000,
        affectedUsers: [{ id: member.user.id, username: 'amara' }],
      }),
    ])
  })

  test('administrators and the founder at night, by what succeeded', async () => {
    const [admin, user] = [await join(server, 'super_admin', { username: 'chief' }), await server.signUp()]
    const own = { params: { id: admin.user.id }, body: { isActive: false } }
    await untilNight()
    await admin.call(session.login, { body: { username: 'chief', password: admin.password } })
    await admin.refused(userAdministration.setStatus, own)
    founder = await signInFounder(server)
    const types = async () => (await list()).map(({ type, affectedUsers }) => [type, affectedUsers[0]?.username])
    expect(await types()).toEqual([['unusual_activity_hours', 'founder']])
    await server.advance(1)
    await admin.call(userAdministration.setStatus, { params: { id: user.user.id }, body: { isActive: false } })
    expect(await types()).toEqual([
      ['unusual_activity_hours', 'chief'],
      ['unusual_activity_hours', 'founder'],
    ])
  })

  test('every administrative action is one that can be unusual at night', () => {
    const admin = server.core.endpoints.filter(({ guard, method }) => guard === 'administrator' && method !== 'GET')
    const actions = admin.map(({ method, path }) => auditCases[`${method} ${path}`]?.action)
    expect(actions.length).toBeGreaterThan(5)
    const ownSession = 'session_confirmed'
    const known: readonly unknown[] = [...administrativeActions, ownSession]
    expect(actions.filter((action) => typeof action === 'string' && !known.includes(action))).toEqual([])
  })
})

describe('following the events', () => {
  test('whoever sends alerts hears of an incident when it opens, once, and not after a restart', async () => {
    await server.signUp('amara')
    await fail('amara', '203.0.113.1', 4)
    await fail('amara', '203.0.113.1')
    await expect.poll(() => opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({ type: 'brute_force_attack', severity: 'medium', eventCount: 5 })
    await list()
    expect(opened).toHaveLength(1)

    const before = await list()
    await server.restart()
    hearOpened()
    expect(await list()).toEqual(before)
    expect(opened).toEqual([])
  })

  test('a restart in the middle of an attack changes nothing about what is found', async () => {
    await server.signUp('amara')
    await fail('amara', '203.0.113.1', 3)
    await server.restart()
    hearOpened()
    await server.advance(60_000)
    await fail('amara', '203.0.113.2', 2)
    expect(await list()).toMatchObject([{ type: 'brute_force_attack', eventCount: 5, affectedIPCount: 2 }])
    await expect.poll(() => opened).toHaveLength(1)
  })

  test('an incident that opens while the start reads stored events is reported; older ones are not', async () => {
    await server.signUp('amara')
    await fail('amara', '203.0.113.1', 5)
    await list()
    using gate = createGate()
    const { core } = server
    const get: Core['db']['read']['get'] = (sql, params) => gate.pass().then(() => core.db.read.get(sql, params))
    const bus = createBus()
    const monitor = createMonitor({ ...core, bus, db: { ...core.db, read: { ...core.db.read, get } } })
    const told: OpenedIncident[] = []
    bus.subscribe('incidentOpened', (incident) => void told.push(incident))
    monitor.start()
    await gate.reached
    await server.advance(1_000)
    await server.signUp('ben')
    await fail('ben', '203.0.113.2', 5)
    gate.open()
    expect(await monitor.list()).toHaveLength(2)
    expect(told).toMatchObject([{ type: 'brute_force_attack', addresses: ['203.0.113.2'] }])
  })

  test('a poll reads what is new and nothing else, and is answered 304 while nothing is', async () => {
    const member = await server.signUp('amara')
    for (let n = 0; n < 30; n++) await report(member)
    await list()
    // With several processes, the events of the last five seconds are read again.
    await server.advance(6_000)
    await list()
    const read = vi.spyOn(server.core.db.read, 'all')
    const first = await founder.fetch(incidents.list.path)
    const etag = first.headers.get('etag') as string
    expect(((await first.json()) as object[]).length).toBe(1)
    const second = await founder.fetch(incidents.list.path, { headers: { 'if-none-match': etag } })
    expect(second.status).toBe(304)
    await dashboard()
    expect(read.mock.calls.filter(([sql]) => /security_events|audit_log/.test(sql))).toEqual([])
    await report(member)
    expect(await list()).toMatchObject([{ eventCount: 31 }])
    const rows = await Promise.all(read.mock.results.map(({ value }) => value as Promise<object[]>))
    const ofEvents = rows.filter((_, at) => /from security_events where rowid/.test(read.mock.calls[at]?.[0] ?? ''))
    expect(new Set(ofEvents.map(({ length }) => length))).toEqual(new Set([1]))
    if (!onPostgres) expect(ofEvents).toHaveLength(1)
    read.mockRestore()
  })

  test('positions that are given out again, after all events were forgotten, are read again', async () => {
    await server.signUp('amara')
    await fail('amara', '203.0.113.1', 4)
    await list()
    await server.advance(limits.securityEventsKept + 60 * 60_000)
    await fail('amara', '203.0.113.1', 5)
    founder = await signInFounder(server)
    expect((await list()).map(({ type, eventCount }) => [type, eventCount])).toContainEqual(['brute_force_attack', 5])
  })
})
