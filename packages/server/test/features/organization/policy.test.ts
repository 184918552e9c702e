import { account } from '@privity/contract/account'
import { closeCodes } from '@privity/contract/events'
import { limits } from '@privity/contract/limits'
import { invitations, organization, organizationPolicy } from '@privity/contract/organization'
import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import { preferenceCalls } from '@privity/contract/preferences'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, inviteInto, join } from '../../support/scenes/organization.ts'
import { prefer } from '../../support/scenes/preferences.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let admin: Member
let organizationId: string
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  admin = await join(server, 'org_admin', { organizationId })
})

const update = (body: object) => admin.request('PATCH', '/api/organizations/policy', body)
const entries = () =>
  server.core.db.read.all<AuditRow>("select * from audit_log where action = 'policy_changed' order by seq")

test('begins with what holds where nothing is said, and keeps what is set', async () => {
  const initial = { ...defaultPolicy, sessionDays: 90, invitationOnly: false, allowedEmailDomains: [] }
  expect(await admin.call(organizationPolicy.get, {})).toEqual(initial)
  const body = { screenshotProtection: true, watermark: false }
  expect(await admin.call(organizationPolicy.update, { body })).toEqual({ ...initial, ...body })
  expect(await admin.call(organizationPolicy.get, {})).toEqual({ ...initial, ...body })
  expect(await admin.call(organizationPolicy.update, { body: { watermark: true } })).toMatchObject({
    screenshotProtection: true,
    watermark: true,
  })
})

test('two administrators who change different parts at once keep both', async () => {
  const other = await join(server, 'super_admin', { organizationId })
  await Promise.all([
    admin.call(organizationPolicy.update, { body: { screenshotProtection: true } }),
    other.call(organizationPolicy.update, { body: { allowedEmailDomains: ['example.com'] } }),
  ])
  const both = { screenshotProtection: true, allowedEmailDomains: ['example.com'] }
  expect(await admin.call(organizationPolicy.get, {})).toMatchObject(both)
})

test('every signed-in member, and nobody else, is notified at once of the policy for them', async () => {
  const member = await join(server, 'user', { organizationId })
  await prefer(member, { theme: 'dark' })
  const stranger = await server.signUp()
  const sockets = await Promise.all([admin, member, stranger].map((each) => each.socket()))
  const [own, theirs, strange] = sockets
  await admin.call(organizationPolicy.update, { body: { screenshotProtection: true } })
  const policy = { ...defaultPolicy, screenshotProtection: true }
  const frame = await theirs?.next('preferences_changed')
  for (const socket of sockets) await socket.settled()
  const told = (socket: typeof own) => socket?.frames.filter(({ type }) => type === 'preferences_changed')
  expect(told(own)).toEqual([{ type: 'preferences_changed', preferences: defaultPreferences, policy }])
  const preferences = { ...defaultPreferences, theme: 'dark' }
  expect(frame).toEqual({ type: 'preferences_changed', preferences, policy })
  expect(told(theirs)).toEqual([])
  expect(told(strange)).toEqual([])
  expect((await member.call(preferenceCalls.get, {})).policy).toEqual(policy)
  expect((await stranger.call(preferenceCalls.get, {})).policy).toEqual(defaultPolicy)
})

test('a session timeout applies to existing sessions; without it members choose again', async () => {
  const member = await join(server, 'user', { organizationId })
  await prefer(member, { sessionTimeout: false })
  const stranger = await server.signUp()
  await prefer(stranger, { sessionTimeout: false })
  const limitOf = async ({ user }: Member) =>
    (
      await server.core.db.read.get<{ idle_limit: number }>('select idle_limit from sessions where user_id = ?', [
        user.id,
      ])
    )?.idle_limit
  await admin.call(organizationPolicy.update, { body: { sessionTimeout: true } })
  expect(await limitOf(member)).toBe(limits.sessionIdle)
  expect(await limitOf(stranger)).toBe(limits.sessionIdleLong)
  await admin.call(organizationPolicy.update, { body: { sessionTimeout: false } })
  expect([await limitOf(member), await limitOf(admin)]).toEqual([limits.sessionIdleLong, limits.sessionIdle])
  await admin.call(organizationPolicy.update, { body: { sessionTimeout: true } })
  await server.advance(limits.sessionIdle)
  expect((await member.refused(session.getUser, {})).status).toBe(401)
  expect((await stranger.call(session.getUser, {})).id).toBe(stranger.user.id)
})

test('what an open page asks for again by itself does not keep a session from ending unused', async () => {
  const admin = await join(server, 'org_admin')
  const reads = server.core.endpoints.filter(({ method, path }) => method === 'GET' && path.includes('/organizations/'))
  expect(reads.length).toBe(5)
  await server.advance(limits.sessionIdle / 2)
  for (const { path } of reads) expect((await admin.request('GET', path)).status, path).toBe(200)
  await server.advance(limits.sessionIdle / 2)
  expect((await admin.refused(session.getUser, {})).status).toBe(401)
})

test('requiring a second factor closes the sockets of those who have none', async () => {
  const member = await join(server, 'user', { organizationId })
  const [theirs, strange] = [await member.socket(), await (await server.signUp()).socket()]
  await admin.call(organizationPolicy.update, { body: { twoFactor: true } })
  expect(await theirs.closed).toBe(closeCodes.factorMissing)
  await strange.settled()
})

test('what is the same leaves no entry; a change leaves one with before and after', async () => {
  const before = (await entries()).length
  await admin.call(organizationPolicy.update, { body: {} })
  await admin.call(organizationPolicy.update, { body: { watermark: defaultPolicy.watermark, allowedEmailDomains: [] } })
  expect(await entries()).toHaveLength(before)
  const body = { watermark: !defaultPolicy.watermark, allowedEmailDomains: ['a.example', 'b.example'] }
  await admin.call(organizationPolicy.update, { body })
  const [entry, ...more] = (await entries()).slice(before)
  expect(more).toEqual([])
  expect(JSON.parse(entry?.details ?? '')).toEqual({
    'watermark.before': true,
    'watermark.after': false,
    'allowedEmailDomains.before': '',
    'allowedEmailDomains.after': 'a.example, b.example',
  })
})

test.each([
  [{ twoFactor: 'yes' }],
  [{ watermark: null }],
  [{ allowedEmailDomains: 'example.com' }],
  [{ allowedEmailDomains: [5] }],
  [{ allowedEmailDomains: [''] }],
  [{ allowedEmailDomains: ['a'.repeat(300)] }],
  [{ allowedEmailDomains: Array.from({ length: limits.emailDomains + 1 }, (_, at) => `d${at}.example`) }],
  [[]],
  ['x'],
])('%j is refused and changes nothing', async (body) => {
  const before = await admin.call(organizationPolicy.get, {})
  expect(await update(body as object)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  expect(await admin.call(organizationPolicy.get, {})).toEqual(before)
})

describe('email domains', () => {
  test.each([
    [['Example.COM', ' example.com ', '@example.com', 'example.com.'], ['example.com']],
    [['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example'], ['xn--bcher-kva.example']],
    [['почта.рф'], ['xn--80a1acny.xn--p1ai']],
    [['ｅｘａｍｐｌｅ.com'], ['example.com']],
    [
      ['mail.example.com', 'example.com'],
      ['mail.example.com', 'example.com'],
    ],
  ])('%j are kept as %j', async (given, kept) => {
    const body = { allowedEmailDomains: given }
    expect((await admin.call(organizationPolicy.update, { body })).allowedEmailDomains).toEqual(kept)
  })

  test.each([
    'example',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '*.example.com',
    'a b.com',
    'a@example.com',
    '-a.com',
    'a..com',
    'exa_mple.com',
    'https://example.com',
    '.com',
    '@',
  ])('%j is none, and the answer says which it was', async (domain) => {
    const answer = await update({ allowedEmailDomains: ['example.com', domain] })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: [{ path: 'allowedEmailDomains.1' }] },
    })
  })

  const person = { firstName: 'Ada', lastName: 'King', password: 'secret' }
  let names = 0
  const signUp = (domain: string, invitation: string) => {
    const username = `domain-${(names += 1)}`
    return server.visitor().request('POST', '/api/register', {
      ...person,
      username,
      email: `${username}@${domain}`,
      invitation,
    })
  }

  test('only addresses of the domains themselves sign up, whatever their case', async () => {
    const body = { allowedEmailDomains: ['example.com', 'bücher.example'] }
    await admin.call(organizationPolicy.update, { body })
    for (const domain of [
      'mail.example.com',
      'notexample.com',
      'example.com.evil.example',
      'example.org',
      'bucher.example',
    ]) {
      const answer = await signUp(domain, await inviteInto(server, organizationId))
      expect(answer, domain).toMatchObject({ status: 403, body: { code: 'EMAIL_DOMAIN_REFUSED' } })
    }
    for (const domain of ['example.com', 'EXAMPLE.com']) {
      expect((await signUp(domain, await inviteInto(server, organizationId))).status, domain).toBe(201)
    }
  })

  test('a refused address does not use the invitation up', async () => {
    await admin.call(organizationPolicy.update, { body: { allowedEmailDomains: ['example.com'] } })
    const { token } = await admin.call(invitations.create, {
      body: { role: 'user', validFor: limits.invitationUsual },
    })
    expect((await signUp('other.example', token)).status).toBe(403)
    expect((await signUp('example.com', token)).status).toBe(201)
  })

  test('without an invitation those of the default organization hold', async () => {
    await using fresh = await createTestServer()
    const first = await join(fresh, 'super_admin')
    await first.call(organizationPolicy.update, { body: { allowedEmailDomains: ['chambers.example'] } })
    const body = { ...person, username: 'late', email: 'late@example.com' }
    const refused = await fresh.visitor().refused(session.register, { body })
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_DOMAIN_REFUSED'])
    await fresh.visitor().call(session.register, { body: { ...body, email: 'late@chambers.example' } })
  })

  test('members keep the address they have, and move to an allowed one only', async () => {
    const member = await join(server, 'user', { organizationId })
    await admin.call(organizationPolicy.update, { body: { allowedEmailDomains: ['chambers.example'] } })
    const { firstName, email } = member.user
    const { password } = member
    const change = (to: string) => ({ body: { firstName, lastName: 'Newname', email: to, password } })
    expect((await member.call(account.updateProfile, change(email))).lastName).toBe('Newname')
    const refused = await member.refused(account.updateProfile, change('ada@other.example'))
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_DOMAIN_REFUSED'])
    const to = 'ada@chambers.example'
    expect((await member.call(account.updateProfile, change(to))).email).toBe(to)
  })
})

describe('invitation only', () => {
  const form = (username: string, invitation?: string) => ({
    body: { username, password: 'secret', firstName: 'A', lastName: 'B', email: `${username}@example.com`, invitation },
  })

  test('refuses sign-ups without an invitation before storing anything, and admits those with one', async () => {
    await using own = await createTestServer()
    const boss = await join(own, 'super_admin')
    await boss.call(organizationPolicy.update, { body: { invitationOnly: true } })
    const refusal = await own.visitor().refused(session.register, form('uninvited'))
    expect(refusal).toMatchObject({ status: 403, body: { code: 'INVITATION_NEEDED' } })
    expect(refusal.body.error).toContain('by invitation only')
    const wrong = await own.visitor().refused(session.register, form('uninvited', 'never made'))
    expect(wrong.body.code).toBe('INVITATION_INVALID')
    const { total } = (await boss.call(organization.current, {})).statistics
    expect(total).toBe(1)
    const body = { role: 'user', validFor: limits.invitationUsual } as const
    const { token } = await boss.call(invitations.create, { body })
    expect((await own.visitor().call(session.register, form('invited', token))).role).toBe('user')
    await boss.call(organizationPolicy.update, { body: { invitationOnly: false } })
    expect((await own.visitor().call(session.register, form('uninvited'))).role).toBe('user')
  })

  test('does not keep out the first account of a fresh server', async () => {
    await using own = await createTestServer({ env: { TRUST_PROXY: '0' } })
    await own.core.db.write((tx) => tx.run('update organizations set policy = ?', ['{"invitationOnly":true}']))
    expect((await own.visitor().call(session.register, form('first'))).role).toBe('super_admin')
    expect((await own.visitor().refused(session.register, form('second'))).body.code).toBe('INVITATION_NEEDED')
  })

  test('says something for the default organization only, and members are not told of it', async () => {
    await admin.call(organizationPolicy.update, { body: { invitationOnly: true } })
    expect((await admin.call(organization.current, {})).isDefault).toBe(false)
    expect((await server.signUp()).user.role).toBe('user')
    expect((await admin.call(preferenceCalls.get, {})).policy).toEqual(defaultPolicy)
  })

  test('a sign-up that comes at the same moment is let in or refused, never both', async () => {
    await using own = await createTestServer()
    const boss = await join(own, 'super_admin')
    const [, answer] = await Promise.all([
      boss.call(organizationPolicy.update, { body: { invitationOnly: true } }),
      own.visitor().request('POST', '/api/register', form('racing').body),
    ])
    const { total } = (await boss.call(organization.current, {})).statistics
    expect([answer.status, total]).toEqual(answer.status === 201 ? [201, 2] : [403, 1])
  })
})
