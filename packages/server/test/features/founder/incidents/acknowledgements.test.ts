import { incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { failSignIn } from '../../../support/founder/incidents.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const minute = 60_000

let server: TestServer
let founder: Caller
let incident: string
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  founder = await signInFounder(server)
  const { user } = await server.signUp('amara')
  incident = `brute_force_attack:account:${user.id}`
  await fail(5)
})
afterEach(() => server.close())

const fail = (times: number) => failSignIn(server, 'amara', '203.0.113.1', times)
const list = () => founder.call(incidents.list, {})
const dashboard = () => founder.call(incidents.dashboard, {})
const acknowledge = (note?: string) => founder.call(incidents.acknowledge, { body: { incident, note } })
const withdraw = () => founder.call(incidents.withdraw, { query: { incident } })
const isAcknowledged = async () => (await list())[0]?.acknowledgement !== undefined
const entries = async () =>
  (await selectAudit(server.core.db.read, "action like 'incident_%'")).map(({ action, details, address }) => ({
    action,
    details: JSON.parse(details) as unknown,
    address,
  }))

/** Advances past the lock of the account, but not past the incident's window. */
const untilUnlocked = () => server.advance(limits.lockTime)

describe('an acknowledgement', () => {
  test('says who gave it, in which browser, when, and why', async () => {
    const { device } = await acknowledge('Tested by the owner.')
    expect(device).not.toBe('')
    const expected = { by: 'founder', device, at: server.clock.now(), note: 'Tested by the owner.' }
    expect((await list())[0]?.acknowledgement).toEqual(expected)
  })

  test('needs no note', async () => {
    await acknowledge('  ')
    expect((await list())[0]?.acknowledgement).not.toHaveProperty('note')
  })

  test('counts the incident out of the open ones', async () => {
    expect(await dashboard()).toMatchObject({ threatLevel: 'medium', acknowledgedCount: 0 })
    await acknowledge()
    expect(await dashboard()).toEqual({
      threatLevel: 'low',
      severityCounts: { critical: 0, high: 0, medium: 0, low: 0 },
      acknowledgedCount: 1,
      summaryStats: { bruteForceCount: 0, coordinatedAttackCount: 0 },
    })
  })

  test('puts the incident behind those that are open', async () => {
    await failSignIn(server, 'nobody.here', '203.0.113.9', 5)
    await acknowledge()
    expect((await list()).map(({ acknowledgement }) => acknowledgement !== undefined)).toEqual([false, true])
  })

  test('outlives a restart', async () => {
    await acknowledge('Seen.')
    await server.restart()
    expect((await list())[0]?.acknowledgement?.note).toBe('Seen.')
  })

  test('keeps its note sealed at rest', async () => {
    await acknowledge('a note of the founder')
    const rows = await server.core.db.read.all('select * from incident_acknowledgements')
    expect(JSON.stringify(rows)).not.toContain('a note of the founder')
  })

  test('leaves an entry without the note, and taking it back leaves another', async () => {
    await acknowledge('a note of the founder')
    await withdraw()
    const details = { type: 'brute_force_attack', severity: 'medium', by: 'account', subject: incident.split(':')[2] }
    expect(await entries()).toEqual([
      { action: 'incident_acknowledged', details, address: founder.address },
      { action: 'incident_acknowledgement_withdrawn', details, address: founder.address },
    ])
  })

  test('of an attack from one network leaves an entry without its address', async () => {
    for (let account = 0; account < 5; account++) await failSignIn(server, `nobody.${account}`, '203.0.113.77')
    const id = (await list()).find(({ type }) => type === 'coordinated_attack')?.id as string
    await founder.call(incidents.acknowledge, { body: { incident: id } })
    expect((await entries()).map(({ details }) => details)).toEqual([
      { type: 'coordinated_attack', severity: 'high', by: 'network' },
    ])
  })
})

describe('how long it holds', () => {
  test('while the attack goes on no graver than it was', async () => {
    await acknowledge()
    await untilUnlocked()
    await fail(1)
    expect((await list())[0]).toMatchObject({ eventCount: 6, severity: 'medium' })
    expect(await isAcknowledged()).toBe(true)
  })

  test('not once the incident is graver', async () => {
    await acknowledge()
    await untilUnlocked()
    await fail(5)
    expect((await list())[0]).toMatchObject({ eventCount: 10, severity: 'high' })
    expect(await isAcknowledged()).toBe(false)
    await acknowledge('Again.')
    expect((await list())[0]?.acknowledgement?.note).toBe('Again.')
  })

  test('not once it flares up again after it had been quiet', async () => {
    await server.advance(23 * 60 * minute)
    founder = await signInFounder(server)
    await acknowledge()
    await fail(5)
    expect(await isAcknowledged()).toBe(false)
  })

  test('its row goes with the events it is about', async () => {
    await acknowledge()
    const count = () => server.core.db.read.all('select incident_id from incident_acknowledgements')
    await server.advance(limits.securityEventsKept - 60 * minute)
    expect(await count()).toHaveLength(1)
    await server.advance(2 * 60 * minute)
    expect(await count()).toHaveLength(0)
  })
})

describe('several at once', () => {
  test('two from two browsers give one acknowledgement, and the other is told', async () => {
    const other = await signInFounder(server)
    const path = incidents.acknowledge.path
    const answers = await Promise.all(
      [founder, other].map((caller, index) => caller.request('PUT', path, { incident, note: `note ${index}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'INCIDENT_ACKNOWLEDGED' })
    expect(await entries()).toHaveLength(1)
  })

  test('a second one is refused, and keeps the first as it was', async () => {
    const { at } = await acknowledge('First.')
    server.clock.advance(1)
    const refused = await founder.refused(incidents.acknowledge, { body: { incident, note: 'Second.' } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'INCIDENT_ACKNOWLEDGED' } })
    expect((await list())[0]?.acknowledgement).toMatchObject({ at, note: 'First.' })
  })

  test('taking back what is taken back is fine and leaves no entry', async () => {
    await withdraw()
    expect(await entries()).toEqual([])
    await acknowledge()
    await withdraw()
    await withdraw()
    expect(await isAcknowledged()).toBe(false)
    expect(await entries()).toHaveLength(2)
  })
})

describe('refused', () => {
  test('are incidents that are over or never were', async () => {
    for (const unknown of ['brute_force_attack:account:x', '%', 'founder']) {
      const body = { incident: unknown }
      expect((await founder.refused(incidents.acknowledge, { body })).body.code).toBe('INCIDENT_OVER')
      expect((await founder.refused(incidents.withdraw, { query: body })).body.code).toBe('INCIDENT_OVER')
    }
    await server.advance(limits.incidentOpen + 1)
    founder = await signInFounder(server)
    expect((await founder.refused(incidents.acknowledge, { body: { incident } })).body.code).toBe('INCIDENT_OVER')
  })

  test.each([
    {},
    { incident: '' },
    { incident: 5 },
    { incident: 'x', note: 'x'.repeat(501) },
    { incident: 'x', note: 1 },
  ])('is %j', async (body) => {
    const { status, body: answer } = await founder.request('PUT', incidents.acknowledge.path, body)
    expect([status, answer]).toEqual([400, expect.objectContaining({ code: 'INVALID_INPUT' })])
  })

  test('is everybody but the founder', async () => {
    for (const caller of [server.visitor(), await server.signUp()]) {
      const refused = await caller.request('PUT', incidents.acknowledge.path, { incident })
      expect(refused.status).toBe(401)
    }
    expect(await isAcknowledged()).toBe(false)
  })
})
