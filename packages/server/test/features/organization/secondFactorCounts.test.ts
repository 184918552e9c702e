import { organization, organizationPolicy, userAdministration } from '@privity/contract/organization'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { addPasskey, enableTotp } from '../../support/scenes/secondFactor.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())

async function createOffice() {
  const organizationId = await createOrganization(server, 'Chambers')
  const admin = await join(server, 'super_admin', { organizationId })
  const people = [await join(server, 'user', { organizationId }), await join(server, 'user', { organizationId })]
  const [app, key] = people as [Member, Member]
  return { organizationId, admin, app, key }
}

test('a listed user has a second factor with a confirmed app or a passkey, in every answer', async () => {
  const { admin, app, key } = await createOffice()
  await enableTotp(server, app)
  await addPasskey(server, key)
  const secured = async () =>
    (await admin.call(organization.users, { query: {} })).users
      .filter(({ hasSecondFactor }) => hasSecondFactor)
      .map(({ id }) => id)
      .toSorted()
  expect(await secured()).toEqual([app.user.id, key.user.id].toSorted())
  expect((await admin.call(organization.current, {})).users.filter((user) => user.hasSecondFactor).length).toBe(2)
  const params = { id: key.user.id }
  const changed = await admin.call(userAdministration.setRole, { params, body: { role: 'org_admin' } })
  expect(changed.hasSecondFactor).toBe(true)
  expect((await admin.call(userAdministration.resetSecondFactor, { params })).hasSecondFactor).toBe(false)
  expect(await secured()).toEqual([app.user.id])
})

test('how many a stricter policy would concern: those of the organization alone, who can sign in', async () => {
  const { organizationId, admin, app, key } = await createOffice()
  await join(server)
  const reach = async (domain?: string) =>
    admin.call(organizationPolicy.reach, { query: domain === undefined ? {} : { domain } })
  expect(await reach()).toEqual({ withoutSecondFactor: 3, outsideDomains: 0 })
  await enableTotp(server, app)
  await admin.call(userAdministration.setStatus, { params: { id: key.user.id }, body: { isActive: false } })
  expect((await reach()).withoutSecondFactor).toBe(1)

  const own = admin.user.email.split('@')[1] ?? ''
  expect((await reach(`@${own.toUpperCase()}`)).outsideDomains).toBe(0)
  expect((await reach('elsewhere.example')).outsideDomains).toBe(3)
  await admin.call(organizationPolicy.update, { body: { allowedEmailDomains: [own] } })
  expect((await reach('elsewhere.example')).outsideDomains).toBe(0)
  await server.core.db.write((tx) =>
    tx.run('update users set email = ? where id = ?', ['ada@bücher.example', app.user.id]),
  )
  expect((await reach()).outsideDomains).toBe(1)
  expect((await reach('xn--bcher-kva.example')).outsideDomains).toBe(0)

  const refused = await admin.request('GET', '/api/organizations/policy/reach?domain=10.0.0.1')
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  const other = await join(server, 'org_admin', { organizationId })
  expect((await other.call(organizationPolicy.reach, { query: {} })).withoutSecondFactor).toBe(2)
})
