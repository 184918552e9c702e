import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { organization } from '@privity/contract/organization'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let organizationId: string
let boss: Member
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  boss = await join(server, 'super_admin', { organizationId })
})

const update = (by: Member, body: unknown) => by.request('PATCH', '/api/organizations/current', body)
const entries = () =>
  server.core.db.read.all<AuditRow>(
    "select * from audit_log where action = 'organization_changed' and actor_organization = ? order by seq",
    [organizationId],
  )

test('a Super Admin changes name and type; members see it, and the log has before and after', async () => {
  const member = await join(server, 'user', { organizationId })
  const socket = await boss.socket()
  const body = { name: '  Inns of Court ', type: 'Law' }
  const changed = { id: organizationId, name: 'Inns of Court', type: 'Law' }
  expect(await boss.call(organization.update, { body })).toEqual(changed)
  await socket.next('organization_changed')
  expect(await boss.call(organization.current, {})).toMatchObject(changed)
  expect((await member.call(account.overview, {})).organization).toEqual({ name: 'Inns of Court', type: 'Law' })
  const [entry, ...others] = await entries()
  expect(others).toEqual([])
  expect(entry?.actor_id).toBe(boss.user.id)
  expect(JSON.parse(entry?.details ?? '')).toEqual({
    'name.before': 'Chambers',
    'name.after': 'Inns of Court',
    'type.before': 'Legal',
    'type.after': 'Law',
  })
})

test('one alone leaves the other; what changes nothing leaves no entry', async () => {
  for (const body of [{}, { name: 'Chambers' }, { type: 'Legal', name: ' Chambers' }])
    expect((await update(boss, body)).status).toBe(200)
  expect(await entries()).toEqual([])
  await update(boss, { type: 'Law' })
  expect(await boss.call(organization.current, {})).toMatchObject({ name: 'Chambers', type: 'Law' })
  expect(JSON.parse((await entries())[0]?.details ?? '')).toEqual({ 'type.before': 'Legal', 'type.after': 'Law' })
})

test('is nobody else’s to change, and reaches no other organization', async () => {
  for (const role of ['user', 'org_admin'] as const) {
    const other = await join(server, role, { organizationId })
    expect(await update(other, { name: 'Mine' })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  }
  const foreign = await join(server, 'super_admin', { organizationId: await createOrganization(server, 'Clinic') })
  await update(foreign, { name: 'Mine' })
  expect(await boss.call(organization.current, {})).toMatchObject({ name: 'Chambers' })
})

test.each([
  { name: '' },
  { name: '  ' },
  { type: '' },
  { name: null },
  { name: 7 },
  { name: 'x'.repeat(limits.organizationNameCharacters + 1) },
  { type: 'x'.repeat(limits.organizationNameCharacters + 1) },
  { name: 'two\nlines' },
  { name: 'a\u0000b' },
  { type: 'a\u2028b' },
  [],
  'text',
])('refuses %j', async (body) => {
  expect(await update(boss, body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  expect(await entries()).toEqual([])
})

test('of two changes at once both are kept, each with what was before it', async () => {
  await Promise.all([update(boss, { name: 'One' }), update(boss, { name: 'Two' })])
  const details = (await entries()).map((entry) => JSON.parse(entry.details) as Record<string, string>)
  expect(details).toHaveLength(2)
  expect(details[1]?.['name.before']).toBe(details[0]?.['name.after'])
  expect((await boss.call(organization.current, {})).name).toBe(details[1]?.['name.after'])
})

test('is kept over a restart: ORG_NAME names the first start only', async () => {
  await using own = await createTestServer({ env: { ORG_NAME: 'At first' } })
  const first = await join(own, 'super_admin')
  await first.call(organization.update, { body: { name: 'Later' } })
  await own.restart()
  expect(await first.call(organization.current, {})).toMatchObject({ name: 'Later', isDefault: true })
})
