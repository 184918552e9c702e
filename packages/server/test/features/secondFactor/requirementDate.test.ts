import { closeCodes } from '@privity/contract/events'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { organizationPolicy } from '@privity/contract/organization'
import { preferenceCalls } from '@privity/contract/preferences'
import { secondFactor } from '@privity/contract/secondFactor'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const hour = 60 * 60 * 1000
const day = 24 * hour

let server: TestServer
let admin: Member
let member: Member
let organizationId: string
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many, signIn: many, signUp: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  admin = await join(server, 'super_admin', { organizationId })
  await enableTotp(server, admin)
  member = await join(server, 'user', { organizationId })
})

const soon = () => server.clock.now() + 2 * hour
const update = (body: Parameters<typeof admin.call<typeof organizationPolicy.update>>[1]['body']) =>
  admin.call(organizationPolicy.update, { body })
const announce = (twoFactorFrom: number) => update({ twoFactor: true, twoFactorFrom })
const ownPolicy = async () => (await member.call(preferenceCalls.get, {})).policy
const missing = { status: 403, body: { code: 'SECOND_FACTOR_MISSING' } }
const entries = async () =>
  (await selectAudit(server.core.db.read, "action = 'policy_changed' and actor_id = ?", [admin.user.id])).map(
    ({ details }) => JSON.parse(details) as unknown,
  )

describe('until the day', () => {
  test('members without a second factor go on as before, and are told the day', async () => {
    const from = soon()
    expect(await announce(from)).toMatchObject({ twoFactor: true, twoFactorFrom: from })
    expect((await member.call(keys.getOwn, { query: {} })).userId).toBe(member.user.id)
    ;(await member.socket()).close()
    expect(await ownPolicy()).toMatchObject({ twoFactor: false, twoFactorFrom: from })
  })

  test('members who are signed in are told at once', async () => {
    const socket = await member.socket()
    const from = soon()
    await announce(from)
    expect(await socket.next('preferences_changed')).toMatchObject({
      policy: { twoFactor: false, twoFactorFrom: from },
    })
  })

  test('administrators see how many are still without', async () => {
    await announce(soon())
    const reach = async () => (await admin.call(organizationPolicy.reach, { query: {} })).withoutSecondFactor
    expect(await reach()).toBe(1)
    await enableTotp(server, member)
    expect(await reach()).toBe(0)
  })

  test('the last second factor may still be removed', async () => {
    const { recoveryCodes } = await enableTotp(server, member)
    await announce(soon())
    const body = { what: 'everything', password: member.password, recoveryCode: recoveryCodes[0] as string } as const
    expect((await member.call(secondFactor.remove, { body })).state.on).toBe(false)
  })
})

describe('when the day comes', () => {
  test('open sockets of members without one end, with no call of anybody', async () => {
    const [socket, ready] = [await member.socket(), await admin.socket()]
    await announce(soon())
    await server.advance(2 * hour - 1000)
    expect(socket.raw.readyState).toBe(socket.raw.OPEN)
    await server.advance(15_000)
    expect(await socket.closed).toBe(closeCodes.factorMissing)
    await ready.settled()
    expect(ready.raw.readyState).toBe(ready.raw.OPEN)
  })

  test('calls of a session that was let through before are refused', async () => {
    await announce(soon())
    await member.call(keys.getOwn, { query: {} })
    await server.advance(2 * hour + 10_000)
    expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
    expect((await admin.call(keys.getOwn, { query: {} })).userId).toBe(admin.user.id)
    expect(await ownPolicy()).toMatchObject({ twoFactor: true })
  })

  test('it holds after a restart over the day', async () => {
    await announce(soon())
    await server.advance(hour)
    server.clock.advance(2 * hour)
    await server.restart()
    expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  })

  test('it has no effect once the requirement is lifted before', async () => {
    await announce(soon())
    await update({ twoFactor: false })
    await server.advance(3 * hour)
    expect((await member.call(keys.getOwn, { query: {} })).userId).toBe(member.user.id)
    expect(await ownPolicy()).toMatchObject({ twoFactor: false, twoFactorFrom: 0 })
  })

  test('members of another organization notice nothing', async () => {
    const stranger = await server.signUp()
    await announce(soon())
    await server.advance(3 * hour)
    expect((await stranger.call(keys.getOwn, { query: {} })).userId).toBe(stranger.user.id)
  })
})

describe('changing the day', () => {
  test('without one it is required at once', async () => {
    await update({ twoFactor: true })
    expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  })

  test('an announced requirement can begin at once', async () => {
    await announce(soon())
    const socket = await member.socket()
    await update({ twoFactorFrom: 0 })
    expect(await socket.closed).toBe(closeCodes.factorMissing)
    expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  })

  test('a later day asks less, so that it asks for the password', async () => {
    await announce(soon())
    await server.advance(limits.confirmationTime + 1000)
    const body = { twoFactorFrom: server.clock.now() + day }
    const refused = await admin.refused(organizationPolicy.update, { body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'CONFIRMATION_NEEDED' } })
    await update({ twoFactorFrom: server.clock.now() + hour })
  })

  test('each change leaves an entry with the day, and what changes nothing leaves none', async () => {
    const from = soon()
    await announce(from)
    await announce(from)
    await update({ twoFactor: false })
    const text = new Date(from).toISOString()
    expect(await entries()).toEqual([
      {
        'twoFactor.before': false,
        'twoFactor.after': true,
        'twoFactorFrom.before': 'none',
        'twoFactorFrom.after': text,
      },
      {
        'twoFactor.before': true,
        'twoFactor.after': false,
        'twoFactorFrom.before': text,
        'twoFactorFrom.after': 'none',
      },
    ])
  })
})

describe('refused', () => {
  test.each([
    ['a day that has passed', () => server.clock.now() - day],
    ['this moment', () => server.clock.now()],
    ['a day more than a year ahead', () => server.clock.now() + limits.maxAnnouncement + 1],
    ['the last day that a number can name', () => Number.MAX_SAFE_INTEGER],
  ])('is %s', async (_, from) => {
    const body = { twoFactor: true, twoFactorFrom: from() }
    const refused = await admin.refused(organizationPolicy.update, { body })
    expect(refused).toMatchObject({ status: 400, body: { code: 'POLICY_DATE_INVALID' } })
    expect((await admin.call(organizationPolicy.get, {})).twoFactor).toBe(false)
  })

  test('is a day while nothing is required', async () => {
    const refused = await admin.refused(organizationPolicy.update, { body: { twoFactorFrom: soon() } })
    expect(refused.body.code).toBe('POLICY_DATE_INVALID')
  })

  test.each(['2027-01-01', '', null, -1, 1.5, true, [], 1e300])('is %j', async (twoFactorFrom) => {
    const body = { twoFactor: true, twoFactorFrom }
    const { status, body: answer } = await admin.request('PATCH', organizationPolicy.update.path, body)
    expect([status, answer]).toEqual([400, expect.objectContaining({ code: 'INVALID_INPUT' })])
  })

  test('is everybody who is no administrator, before the day is looked at', async () => {
    const body = { twoFactor: true, twoFactorFrom: 'x' }
    expect((await member.request('PATCH', organizationPolicy.update.path, body)).status).toBe(403)
  })
})
