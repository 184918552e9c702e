import { limits, rateLimits } from '@privity/contract/limits'
import { invitations, organizationPolicy } from '@privity/contract/organization'
import type { Role } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join, register } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let superAdmin: Member
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  superAdmin = await join(server, 'super_admin', { organizationId: await createOrganization(server, 'Chambers') })
})

const validFor = limits.invitationUsual
const invite = (role: Role = 'user') => superAdmin.call(invitations.create, { body: { role, validFor } })
const list = () => superAdmin.call(invitations.list, { query: {} })

let guests = 0
const comeWith = (token: string) =>
  register(server.visitor(), { firstName: 'Guest', lastName: 'Person', username: `checked${(guests += 1)}` }, token)

const check = (token: string) => server.visitor().call(invitations.check, { body: { token } })
const refusal = async (token: string) => {
  const { status, body } = await server.visitor().refused(invitations.check, { body: { token } })
  return { status, body }
}

test('an invitation says where it leads, any number of times, and is used up by none', async () => {
  const { invitation, token } = await invite('org_admin')
  const told = { organization: 'Chambers', role: 'org_admin', expiresAt: invitation.expiresAt }
  for (let i = 0; i < 3; i++) expect(await check(token)).toEqual(told)
  expect((await list()).invitations).toEqual([invitation])
  expect((await comeWith(token)).role).toBe('org_admin')
})

test('it is refused with the same words when it was used, revoked, has expired or was never made', async () => {
  const [used, revoked, expired] = [await invite(), await invite(), await invite()]
  await comeWith(used.token)
  await superAdmin.call(invitations.revoke, { params: { id: revoked.invitation.id } })
  await server.advance(validFor - 1)
  expect((await check(expired.token)).role).toBe('user')
  await server.advance(1)
  const never = await refusal('never made')
  expect(never).toMatchObject({ status: 400, body: { code: 'INVITATION_INVALID' } })
  expect(JSON.stringify(never)).not.toContain('Chambers')
  for (const { token } of [used, revoked, expired]) expect(await refusal(token)).toEqual(never)
})

test('it is guessed no oftener than passwords are', async () => {
  await using own = await createTestServer()
  const guess = (i: number) =>
    own.visitor('10.9.9.9').request('POST', '/api/invitations/check', { token: `guess ${i}` })
  for (let i = 0; i < rateLimits.signIn.requests; i++) expect((await guess(i)).status).toBe(400)
  expect(await guess(-1)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  const body = { username: 'nobody', password: 'x' }
  expect((await own.visitor('10.9.9.9').request('POST', '/api/login', body)).status).toBe(429)
})

test('a closed server tells whom it keeps out nothing of who has an account', async () => {
  await using own = await createTestServer()
  const boss = await join(own, 'super_admin')
  const { username, email } = boss.user
  await boss.call(organizationPolicy.update, { body: { invitationOnly: true } })
  const ask = async (more: object) =>
    (
      await own.visitor().request('POST', '/api/register', {
        username: 'other',
        password: 'secret',
        firstName: 'A',
        lastName: 'B',
        email: 'other@example.com',
        ...more,
      })
    ).body
  for (const invitation of [undefined, 'never made']) {
    const free = await ask({ invitation })
    expect([free, await ask({ username, invitation }), await ask({ email, invitation })]).toEqual([free, free, free])
  }
  await boss.call(organizationPolicy.update, {
    body: { invitationOnly: false, allowedEmailDomains: ['chambers.example'] },
  })
  expect([await ask({ username }), await ask({ email })]).toEqual([
    expect.objectContaining({ code: 'EMAIL_DOMAIN_REFUSED' }),
    expect.objectContaining({ code: 'EMAIL_DOMAIN_REFUSED' }),
  ])
})
