import { confirmation } from '@privity/contract/confirmation'
import { limits } from '@privity/contract/limits'
import { invitations, organizationPolicy, userAdministration } from '@privity/contract/organization'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { codeOf as makeCode } from '../../../src/features/secondFactor/totp.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { originOf } from '../../support/scenes/passkey.ts'
import { addPasskey, enableTotp } from '../../support/scenes/secondFactor.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let organizationId: string
let admin: Member
let user: Member
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  admin = await join(server, 'super_admin', { organizationId })
  await join(server, 'super_admin', { organizationId })
  user = await join(server, 'user', { organizationId })
})

const validFor = limits.invitationUsual
const needed = { status: 403, body: { code: 'CONFIRMATION_NEEDED' } }
const confirm = (member: Member, proof: object = {}, browser: Caller = member) =>
  browser.call(confirmation.confirm, { body: { password: member.password, ...proof } })
const setPolicy = (body: object) => admin.request('PATCH', '/api/organizations/policy', body)
const invite = (browser: Caller, role: string) =>
  browser.request('POST', '/api/organizations/invitations', { role, validFor })
const setRole = (browser: Caller, role = 'org_admin') =>
  browser.request('PATCH', `/api/users/${user.user.id}/role`, { role })
const setStatus = (isActive: boolean) => admin.request('PATCH', `/api/users/${user.user.id}/status`, { isActive })
const lapse = () => server.advance(limits.confirmationTime)

/** An attacker with only the session's cookie: their browser is unknown to the account. */
function steal(member: Member): Caller {
  const stolen = server.visitor()
  for (const [name, value] of member.cookies) if (name.includes('session')) stolen.cookies.set(name, value)
  return stolen
}

/** All data that the guarded calls could change. */
const stored = () =>
  server.core.db.read.all<Record<string, unknown>>(
    `select u.id, u.role, u.is_active, o.policy, (select count(*) from invitations where organization_id = o.id) as links,
       (select count(*) from authenticator_apps where user_id = u.id) as apps,
       (select count(*) from sessions where user_id = u.id) as sessions
     from users u join organizations o on o.id = u.organization_id where o.id = ? order by u.id`,
    [organizationId],
  )

/** The current code of a member's app, from the secret that the server stores. */
async function codeOf({ user: { id } }: Member): Promise<string> {
  const row = await server.core.db.read.get<{ secret: string }>(
    'select secret from authenticator_apps where user_id = ?',
    [id],
  )
  const secret = Buffer.from(server.core.secrets.decryptAtRest(row?.secret ?? ''), 'base64url')
  return makeCode(secret, Math.floor(server.clock.now() / 30_000))
}

interface Guarded {
  what: string
  prepare?: () => Promise<unknown>
  act: () => Promise<{ status: number; body: unknown }>
}

const guarded: Guarded[] = [
  { what: 'activating again', prepare: () => setStatus(false), act: () => setStatus(true) },
  { what: 'another role', act: () => setRole(admin) },
  { what: 'deleting', act: () => admin.request('DELETE', `/api/users/${user.user.id}`) },
  { what: 'inviting an administrator', act: () => invite(admin, 'org_admin') },
  { what: 'inviting a Super Admin', act: () => invite(admin, 'super_admin') },
  {
    what: 'resetting a second factor',
    prepare: () => enableTotp(server, user),
    act: () => admin.request('POST', `/api/users/${user.user.id}/second-factor/reset`),
  },
  ...(
    [
      'twoFactor',
      'screenshotProtection',
      'watermark',
      'sessionTimeout',
      'onlyApprovedBrowsers',
      'invitationOnly',
    ] as const
  ).map((name) => ({
    what: `${name} off`,
    prepare: async () => {
      if (name === 'twoFactor') await enableTotp(server, admin)
      await admin.call(organizationPolicy.update, { body: { [name]: true } })
    },
    act: () => setPolicy({ [name]: false }),
  })),
  ...[[], ['a.example', 'b.example'], ['b.example']].map((allowedEmailDomains) => ({
    what: `from one email domain to ${allowedEmailDomains.join(' and ') || 'every'}`,
    prepare: () => setPolicy({ allowedEmailDomains: ['a.example'] }),
    act: () => setPolicy({ allowedEmailDomains }),
  })),
]

describe.each(guarded)('$what', ({ prepare, act }) => {
  test('is refused without a recent confirmation, changes nothing, and succeeds after one', async () => {
    await prepare?.()
    await lapse()
    const before = await stored()
    expect(await act()).toMatchObject(needed)
    expect(await stored()).toEqual(before)
    const hasApp = before.some((row) => row['id'] === admin.user.id && row['apps'] === 1)
    const proof = hasApp ? { code: await codeOf(admin) } : {}
    await confirm(admin, proof)
    expect((await act()).status).toBeLessThan(300)
    expect(await stored()).not.toEqual(before)
  })
})

describe('needs no confirmation', () => {
  beforeEach(lapse)

  test('what gives nobody power: a stricter policy, an invitation for a user, deactivating, a name', async () => {
    for (const body of [
      { screenshotProtection: true, sessionTimeout: true, invitationOnly: true, watermark: true },
      { allowedEmailDomains: ['a.example', 'b.example'] },
      { allowedEmailDomains: ['a.example'] },
    ])
      expect((await setPolicy(body)).status).toBe(200)
    expect((await invite(admin, 'user')).status).toBe(201)
    expect((await setStatus(false)).status).toBe(200)
    expect((await admin.request('PATCH', '/api/organizations/current', { name: 'Inns' })).status).toBe(200)
  })

  test('what changes nothing, and what is refused anyway: nobody is asked for a password for it', async () => {
    expect((await setRole(admin, 'user')).status).toBe(200)
    expect((await setStatus(true)).status).toBe(200)
    expect((await setPolicy({ twoFactor: false, allowedEmailDomains: [] })).status).toBe(200)
    const own = await admin.request('DELETE', `/api/users/${admin.user.id}`)
    expect(own).toMatchObject({ body: { code: 'OWN_ACCOUNT' } })
    const unknown = await admin.request('DELETE', '/api/users/01900000-0000-7000-8000-000000000000')
    expect(unknown).toMatchObject({ body: { code: 'USER_NOT_FOUND' } })
    const without = await admin.request('POST', `/api/users/${user.user.id}/second-factor/reset`)
    expect(without).toMatchObject({ body: { code: 'SECOND_FACTOR_OFF' } })
    const lesser = await join(server, 'org_admin', { organizationId })
    await lapse()
    expect(await invite(lesser, 'super_admin')).toMatchObject({ body: { code: 'ABOVE_RANK' } })
    expect(await setRole(lesser)).toMatchObject({ body: { code: 'FORBIDDEN' } })
  })
})

describe('how long, and for whom', () => {
  test('a sign-in confirms its session for exactly ten minutes, and use does not prolong it', async () => {
    expect(limits.confirmationTime).toBe(600_000)
    await server.advance(limits.confirmationTime - 1)
    expect((await setRole(admin)).status).toBe(200)
    await server.advance(1)
    expect(await setRole(admin, 'user')).toMatchObject(needed)
    const { confirmedUntil } = await confirm(admin)
    expect(confirmedUntil).toBe(server.clock.now() + limits.confirmationTime)
    await server.advance(limits.confirmationTime - 1)
    expect((await setRole(admin, 'user')).status).toBe(200)
    await server.advance(1)
    expect(await setRole(admin)).toMatchObject(needed)
    const { username } = admin.user
    await admin.call(session.login, { body: { username, password: admin.password } })
    expect((await setRole(admin)).status).toBe(200)
  })

  test('confirms its own session and no other of the same person, or of another', async () => {
    const elsewhere = server.visitor()
    const { username } = admin.user
    await elsewhere.call(session.login, { body: { username, password: admin.password } })
    const other = await join(server, 'super_admin', { organizationId })
    await lapse()
    await confirm(admin)
    expect(await setRole(elsewhere)).toMatchObject(needed)
    expect(await setRole(other)).toMatchObject(needed)
    expect((await setRole(admin)).status).toBe(200)
  })

  test('is kept over a restart, and a clock that is put back is no confirmation', async () => {
    await using own = await createTestServer()
    const first = await join(own, 'super_admin')
    await own.restart()
    const asked = () => first.request('POST', '/api/organizations/invitations', { role: 'org_admin', validFor })
    expect((await asked()).status).toBe(201)
    await own.core.db.write((tx) => tx.run('update sessions set confirmed_at = ?', [own.clock.now() + 1]))
    expect(await asked()).toMatchObject(needed)
    // The state of a session that is older than this column.
    await own.core.db.write((tx) => tx.run('update sessions set confirmed_at = null'))
    expect(await asked()).toMatchObject(needed)
  })

  test('ends with the session: none that has ended is confirmed or acts', async () => {
    const { username } = admin.user
    const before = steal(admin)
    await admin.call(session.login, { body: { username, password: admin.password } })
    const answer = await before.request('POST', '/api/session/confirmation', { password: admin.password })
    expect(answer).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
  })
})

describe('a stolen session', () => {
  test('confirms nothing without the password, is locked after five guesses, and the owner is not', async () => {
    await lapse()
    const stolen = steal(admin)
    for (let guess = 0; guess < limits.failedSignIns; guess++) {
      const wrong = await stolen.refused(confirmation.confirm, { body: { password: `guess ${guess}` } })
      expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
    }
    const locked = await stolen.refused(confirmation.confirm, { body: { password: admin.password } })
    expect(locked).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
    for (const act of [() => setRole(stolen), () => invite(stolen, 'org_admin')])
      expect(await act()).toMatchObject(needed)
    await confirm(admin)
    expect((await setRole(admin)).status).toBe(200)
  })

  test('with the password too still lacks the second factor; a code confirms once', async () => {
    const app = await enableTotp(server, admin)
    await lapse()
    const stolen = steal(admin)
    const bare = { body: { password: admin.password } }
    for (const browser of [stolen, admin]) {
      const refusal = await browser.refused(confirmation.confirm, bare)
      expect(refusal.body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', details: { methods: expect.any(Array) } })
    }
    const wrong = await stolen.refused(confirmation.confirm, { body: { ...bare.body, code: app.wrong() } })
    expect(wrong.body.code).toBe('SECOND_FACTOR_WRONG')
    expect(await setRole(stolen)).toMatchObject(needed)
    const code = app.code()
    await confirm(admin, { code })
    const again = await admin.refused(confirmation.confirm, { body: { ...bare.body, code } })
    expect(again.body.code).toBe('SECOND_FACTOR_WRONG')
    expect((await setRole(admin)).status).toBe(200)
  })

  test('the answer of a passkey confirms the session it was asked for', async () => {
    const { browser, passkey } = await addPasskey(server, admin)
    await lapse()
    const assertion = passkey.sign(await browser.call(secondFactor.requestPasskey, {}), originOf(server))
    await confirm(admin, { assertion }, browser)
    expect((await setRole(browser)).status).toBe(200)
    const used = await browser.refused(confirmation.confirm, { body: { password: admin.password, assertion } })
    expect(used.body.code).toBe('PASSKEY_REFUSED')
  })
})

describe('at the same moment', () => {
  test('two confirmations with one code: one is made, and one entry', async () => {
    const app = await enableTotp(server, admin)
    const body = { password: admin.password, code: app.code() }
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.request('POST', '/api/session/confirmation', body).then(({ status }) => status)),
    )
    expect(answers.toSorted()).toEqual([200, 401, 401])
    const entries = await server.core.db.read.all<AuditRow>(
      "select * from audit_log where action = 'session_confirmed' and actor_id = ? order by seq",
      [admin.user.id],
    )
    expect(entries).toHaveLength(1)
  })

  test('a confirmation whose session ends meanwhile confirms nothing', async () => {
    await lapse()
    const { username } = admin.user
    const stolen = steal(admin)
    const [answer] = await Promise.all([
      stolen.request('POST', '/api/session/confirmation', { password: admin.password }),
      server.core.db.write((tx) => server.core.sessions.end(tx, admin.user.id, 'all')),
    ])
    expect(answer).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
    expect((await setRole(stolen)).status).toBe(401)
    await admin.call(session.login, { body: { username, password: admin.password } })
  })

  test('who is no administrator any more is refused before anything else', async () => {
    const body = { password: user.password }
    expect((await user.refused(confirmation.confirm, { body })).body.code).toBe('FORBIDDEN')
    expect(
      (await user.refused(userAdministration.setRole, { params: { id: admin.user.id }, body: { role: 'user' } })).body
        .code,
    ).toBe('FORBIDDEN')
    expect((await user.refused(invitations.create, { body: { role: 'org_admin', validFor } })).body.code).toBe(
      'FORBIDDEN',
    )
  })
})
