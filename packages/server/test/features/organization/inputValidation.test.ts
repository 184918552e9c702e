import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { join } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let admin: Member
let target: Member
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many } } })
  admin = await join(server, 'super_admin')
  target = await server.signUp()
})
afterAll(() => server.close())

const snapshot = () =>
  Promise.all(
    ['users', 'organizations', 'invitations', 'sessions', 'audit_log'].map((table) =>
      server.core.db.read.all(`select * from ${table}`),
    ),
  )

/** A valid body of each call that takes one, and its path. */
const calls: [string, () => string, object][] = [
  ['PATCH', () => `/api/users/${target.user.id}/status`, { isActive: false }],
  ['PATCH', () => `/api/users/${target.user.id}/role`, { role: 'org_admin' }],
  ['PATCH', () => '/api/organizations/policy', { watermark: false }],
  ['POST', () => '/api/organizations/invitations', { role: 'user', validFor: limits.invitationUsual }],
]

describe.each(calls)('%s %s', (method, path, good) => {
  test('refuses no body, no JSON, other JSON, other types and too much, and changes nothing', async () => {
    const before = await snapshot()
    for (const body of [undefined, '', '{', '"text"', 'null', '[]', '5', `${JSON.stringify(good)}{`, '\0']) {
      const answer = await admin.request(method, path(), body)
      expect(answer, String(body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    const form = await admin.request(method, path(), 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    const huge = await admin.request(method, path(), { ...good, padding: 'x'.repeat(limits.jsonBodyBytes) })
    expect(huge).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
    expect(await snapshot()).toEqual(before)
  })

  test('refuses a page of another site', async () => {
    const before = await snapshot()
    const answer = await admin.request(method, path(), good, { origin: 'https://evil.example' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
    expect(await snapshot()).toEqual(before)
  })

  test('ignores what it does not know', async () => {
    const odd = `{"__proto__":{"role":"super_admin"},"organizationId":"x","suspended":true,${JSON.stringify(good).slice(1)}`
    expect([200, 201]).toContain((await admin.request(method, path(), odd)).status)
    const row = await server.core.db.read.get<object>('select suspended, organization_id from users where id = ?', [
      target.user.id,
    ])
    expect(row).toEqual({ suspended: 0, organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })
})
