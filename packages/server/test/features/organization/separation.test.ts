import { limits } from '@privity/contract/limits'
import { invitations } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
/** An organization with everything that administrators see, and three members of another one. */
let ours: { id: string; admin: Member; target: Member; invitationId: string; token: string }
let theirs: Record<'user' | 'org_admin' | 'super_admin', Member>

beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, dataExport: many, other: many } } })
  const organizationId = await createOrganization(server, 'Bureau of Ours')
  const admin = await join(server, 'super_admin', { organizationId, username: 'ours-admin' })
  const target = await join(server, 'user', { organizationId, username: 'ours-target' })
  const body = { role: 'user', validFor: limits.invitationUsual } as const
  const { invitation, token } = await admin.call(invitations.create, { body })
  ours = { id: organizationId, admin, target, invitationId: invitation.id, token }
  const other = await createOrganization(server, 'Bureau of Theirs')
  theirs = {
    user: await join(server, 'user', { organizationId: other }),
    org_admin: await join(server, 'org_admin', { organizationId: other }),
    super_admin: await join(server, 'super_admin', { organizationId: other }),
  }
})
afterAll(() => server.close())

interface Attempt {
  call: string
  path?: () => string
  body?: object
  /** The error for administrators of another organization; undefined if the call returns their own data. */
  code?: string
}

const user = () => ours.target.user.id
const attempts: Attempt[] = [
  { call: 'GET /api/organizations/current' },
  { call: 'PATCH /api/organizations/current', body: { type: 'Theirs' } },
  { call: 'GET /api/organizations/users' },
  { call: 'GET /api/organizations/users', path: () => '/api/organizations/users?search=ours' },
  { call: 'GET /api/organizations/users', path: () => `/api/organizations/users?organizationId=${ours.id}` },
  {
    call: 'GET /api/organizations/users',
    path() {
      const after = Buffer.from(JSON.stringify(['name', 'asc', '', user()])).toString('base64url')
      return `/api/organizations/users?after=${after}`
    },
  },
  {
    call: 'PATCH /api/users/:id/status',
    path: () => `/api/users/${user()}/status`,
    body: { isActive: false },
    code: 'USER_NOT_FOUND',
  },
  {
    call: 'PATCH /api/users/:id/role',
    path: () => `/api/users/${user()}/role`,
    body: { role: 'org_admin' },
    code: 'USER_NOT_FOUND',
  },
  {
    call: 'POST /api/users/:id/second-factor/reset',
    path: () => `/api/users/${user()}/second-factor/reset`,
    code: 'USER_NOT_FOUND',
  },
  { call: 'POST /api/users/:id/unlock', path: () => `/api/users/${user()}/unlock`, code: 'USER_NOT_FOUND' },
  { call: 'DELETE /api/users/:id', path: () => `/api/users/${user()}`, code: 'USER_NOT_FOUND' },
  { call: 'GET /api/organizations/policy' },
  { call: 'GET /api/organizations/policy/reach' },
  { call: 'PATCH /api/organizations/policy', body: { allowedEmailDomains: ['theirs.example'] } },
  { call: 'GET /api/organizations/invitations' },
  {
    call: 'GET /api/organizations/invitations',
    path: () => `/api/organizations/invitations?after=ffffffff-ffff-7fff-bfff-ffffffffffff`,
  },
  { call: 'POST /api/organizations/invitations', body: { role: 'user', validFor: limits.invitationUsual } },
  {
    call: 'DELETE /api/organizations/invitations/:id',
    path: () => `/api/organizations/invitations/${ours.invitationId}`,
    code: 'INVITATION_NOT_FOUND',
  },
  { call: 'GET /api/audit-logs' },
  { call: 'GET /api/audit-logs', path: () => `/api/audit-logs?person=${user()}` },
  { call: 'GET /api/audit-logs/actions' },
  { call: 'POST /api/audit-logs/exports', body: {} },
]

const request = (by: Caller, { call, path, body }: Attempt) => {
  const [method = '', named = ''] = call.split(' ')
  return by.request(method, path?.() ?? named, body)
}

const snapshot = () =>
  Promise.all(
    [
      'select * from users where organization_id = ? order by id',
      'select * from organizations where id = ?',
      'select * from invitations where organization_id = ? order by id',
      'select * from user_counts where organization_id = ? order by role, is_active',
      'select s.id from sessions s join users u on u.id = s.user_id where u.organization_id = ? order by s.id',
    ].map((sql) => server.core.db.read.all(sql, [ours.id])),
  )

const secrets = () => [
  ours.id,
  'Bureau of Ours',
  ours.invitationId,
  ours.token,
  ...[ours.admin, ours.target].flatMap(({ user: { id, username, email, connectionCode, lastName } }) => [
    id,
    username,
    email,
    connectionCode,
    lastName,
  ]),
]

describe('across two organizations', () => {
  test.each(attempts)('$call $body', async (attempt) => {
    const before = await snapshot()
    const sockets = await Promise.all([ours.admin, ours.target].map((member) => member.socket()))
    for (const socket of sockets) await socket.settled()
    for (const socket of sockets) socket.frames.length = 0

    expect(await request(server.visitor(), attempt)).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
    expect(await request(theirs.user, attempt)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await request(ours.target, attempt)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    for (const role of ['org_admin', 'super_admin'] as const) {
      const answer = await request(theirs[role], attempt)
      const mayNotAtAll = role === 'org_admin' && /\/role$|^PATCH .*\/current$/.test(attempt.call)
      if (mayNotAtAll) expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      else if (attempt.code !== undefined) expect(answer).toMatchObject({ status: 404, body: { code: attempt.code } })
      else expect([answer.status, role]).toEqual([expect.toBeOneOf([200, 201]), role])
      for (const secret of secrets()) expect(JSON.stringify(answer.body)).not.toContain(secret)
    }

    expect(await snapshot()).toEqual(before)
    for (const socket of sockets) {
      await socket.settled()
      expect(socket.frames.filter(({ type }) => type !== 'party_changed')).toEqual([])
      socket.close()
    }
    expect((await ours.target.call(session.getUser, {})).isActive).toBe(true)
  })

  test('somebody of another organization is answered like somebody who never was', async () => {
    const missing = '01900000-0000-7000-8000-000000000000'
    for (const { call, body } of attempts.filter(({ code }) => code !== undefined)) {
      const [method = '', path = ''] = call.split(' ')
      const id = path.includes('invitations') ? ours.invitationId : user()
      const [one, other] = await Promise.all(
        [id, missing].map((each) => theirs.super_admin.request(method, path.replace(':id', each), body)),
      )
      expect([one?.status, one?.body]).toEqual([other?.status, other?.body])
    }
  })

  test('every call of administrators is in the table', () => {
    const administrators = server.core.endpoints.filter(({ guard }) => guard === 'administrator')
    // The excluded call takes only the caller's password.
    const calls = administrators.filter(({ path }) => path !== '/api/session/confirmation')
    const named = calls.map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(attempts.map(({ call }) => call))].toSorted()).toEqual(named.toSorted())
  })
})
