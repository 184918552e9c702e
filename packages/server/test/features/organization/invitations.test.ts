import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { type Invitation, invitations, organization, userAdministration } from '@privity/contract/organization'
import { session, type Role } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createOrganization, join, organizationOf, register } from '../../support/scenes/organization.ts'
import { replaceKeys } from '../../support/scenes/keyReplacement.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let superAdmin: Member
let organizationId: string
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  superAdmin = await join(server, 'super_admin', { organizationId })
})

const validFor = limits.invitationUsual
const invite = (by: Member, role: Role = 'user') => by.call(invitations.create, { body: { role, validFor } })
const list = (by: Member, query = {}) => by.call(invitations.list, { query })
const revoke = (by: Member, { id }: Pick<Invitation, 'id'>) => by.call(invitations.revoke, { params: { id } })

let guests = 0
const nextGuest = () => ({ firstName: 'Guest', lastName: 'Person', username: `guest${(guests += 1)}` })
const comeWith = (token: string) => register(server.visitor(), nextGuest(), token)
const refusedWith = async (token: string) => {
  const guest = nextGuest()
  const body = { ...guest, email: `${guest.username}@example.com`, password: 'secret', invitation: token }
  const { status, body: answer } = await server.visitor().refused(session.register, { body })
  return [status, answer.code]
}
const invalid = [400, 'INVITATION_INVALID']

test('brings the owner of the link into the organization with its role, and the list shows them', async () => {
  const { invitation, token } = await invite(superAdmin, 'org_admin')
  const now = server.clock.now()
  const { id, firstName, lastName } = superAdmin.user
  const open = {
    role: 'org_admin',
    state: 'open',
    createdAt: now,
    expiresAt: now + validFor,
    usedAt: null,
    usedBy: null,
  }
  expect(invitation).toMatchObject({ ...open, createdBy: { kind: 'member', id, firstName, lastName }, revokedAt: null })
  expect((await list(superAdmin)).invitations).toEqual([invitation])
  await server.advance(1000)
  const guest = await comeWith(token)
  expect(guest.role).toBe('org_admin')
  expect(await organizationOf(server, { user: guest })).toBe(organizationId)
  const usedBy = { kind: 'member', id: guest.id, firstName: 'Guest', lastName: 'Person' }
  const [used] = (await list(superAdmin)).invitations
  expect(used).toEqual({ ...invitation, state: 'used', usedAt: server.clock.now(), usedBy })
  const { users } = await superAdmin.call(organization.current, {})
  expect(users.map((user) => user.id)).toContain(guest.id)
})

test('is in the database as a hash only, and in no later answer', async () => {
  const { invitation, token } = await invite(superAdmin)
  const rows = await server.core.db.read.all<{ token_hash: string }>('select * from invitations where id = ?', [
    invitation.id,
  ])
  expect(rows[0]?.token_hash).toBe(hashToken(token))
  expect(JSON.stringify(rows)).not.toContain(token)
  const log = await server.core.db.read.all("select * from audit_log where action like 'invitation%' order by seq")
  const answer = await superAdmin.request('GET', '/api/organizations/invitations')
  for (const text of [token, hashToken(token)]) expect(JSON.stringify([log, answer.body])).not.toContain(text)
  expect(Buffer.from(token, 'base64url')).toHaveLength(24)
})

describe('is refused', () => {
  test('the second time, also at the same moment', async () => {
    const { token } = await invite(superAdmin)
    const guestsAtOnce = [nextGuest(), nextGuest(), nextGuest()]
    const answers = await Promise.all(
      guestsAtOnce.map((guest) =>
        server.visitor().request('POST', '/api/register', {
          ...guest,
          email: `${guest.username}@example.com`,
          password: 'secret',
          invitation: token,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    expect(await refusedWith(token)).toEqual(invalid)
  })

  test('from the millisecond it expires', async () => {
    const [{ token }, { token: other }] = [await invite(superAdmin), await invite(superAdmin)]
    await server.advance(validFor - 1)
    expect((await comeWith(other)).role).toBe('user')
    await server.advance(1)
    expect(await refusedWith(token)).toEqual(invalid)
    await superAdmin.call(session.login, {
      body: { username: superAdmin.user.username, password: superAdmin.password },
    })
    expect((await list(superAdmin)).invitations.map(({ state }) => state).toSorted()).toEqual(['expired', 'used'])
  })

  test('once it is revoked, and what has ended cannot be revoked', async () => {
    const { invitation, token } = await invite(superAdmin)
    expect(await revoke(superAdmin, invitation)).toMatchObject({ state: 'revoked', revokedAt: server.clock.now() })
    expect(await refusedWith(token)).toEqual(invalid)
    const used = await invite(superAdmin)
    await comeWith(used.token)
    for (const { id } of [invitation, used.invitation]) {
      const { status, body } = await superAdmin.refused(invitations.revoke, { params: { id } })
      expect([status, body.code]).toEqual([409, 'INVITATION_ENDED'])
    }
  })

  test('revoking and using at the same moment do not both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const { invitation, token } = await invite(superAdmin)
      const guest = nextGuest()
      const [came, revoked] = await Promise.all([
        server.visitor().request('POST', '/api/register', {
          ...guest,
          email: `${guest.username}@example.com`,
          password: 'secret',
          invitation: token,
        }),
        superAdmin.request('DELETE', `/api/organizations/invitations/${invitation.id}`),
      ])
      expect([came.status === 201, revoked.status === 200].filter(Boolean)).toHaveLength(1)
    }
  })
})

describe('who may not invite any more leaves none open', () => {
  const ends: [string, (target: Member) => Promise<unknown>, Role, Role, boolean][] = [
    [
      'deactivated',
      ({ user }) =>
        superAdmin.call(userAdministration.setStatus, { params: { id: user.id }, body: { isActive: false } }),
      'org_admin',
      'user',
      true,
    ],
    [
      'made a user',
      ({ user }) => superAdmin.call(userAdministration.setRole, { params: { id: user.id }, body: { role: 'user' } }),
      'org_admin',
      'user',
      true,
    ],
    [
      'made an org_admin, of what is beyond that',
      ({ user }) =>
        superAdmin.call(userAdministration.setRole, { params: { id: user.id }, body: { role: 'org_admin' } }),
      'super_admin',
      'super_admin',
      true,
    ],
    [
      'made an org_admin, but not of what is not',
      ({ user }) =>
        superAdmin.call(userAdministration.setRole, { params: { id: user.id }, body: { role: 'org_admin' } }),
      'super_admin',
      'user',
      false,
    ],
    [
      'deleted',
      ({ user }) => superAdmin.call(userAdministration.remove, { params: { id: user.id } }),
      'org_admin',
      'user',
      true,
    ],
    [
      'deleted by its owner',
      (target) => target.call(account.remove, { body: { username: target.user.username, password: target.password } }),
      'org_admin',
      'org_admin',
      true,
    ],
    [
      'with a new password',
      ({ password, ...target }) => {
        const body = { currentPassword: password, newPassword: 'a new one', wrappedAccountKey: wrapped() }
        return target.call(account.changePassword, { body: { ...body, identityKey: target.keys?.identityKey } })
      },
      'org_admin',
      'user',
      true,
    ],
    ['with new keys, because they may have been compromised', replaceKeys, 'super_admin', 'super_admin', true],
  ]
  test.each(ends)('%s', async (_name, end, role, invited, isRevoked) => {
    const inviter = await join(server, role, { organizationId })
    const { invitation, token } = await invite(inviter, invited)
    await end(inviter)
    const found = (await list(superAdmin)).invitations.find(({ id }) => id === invitation.id)
    expect(found?.state).toBe(isRevoked ? 'revoked' : 'open')
    if (isRevoked) expect(await refusedWith(token)).toEqual(invalid)
    else expect((await comeWith(token)).role).toBe(invited)
  })
})

describe('rank', () => {
  const rules: [Role, Role, number][] = [
    ['org_admin', 'user', 201],
    ['org_admin', 'org_admin', 201],
    ['org_admin', 'super_admin', 403],
    ['super_admin', 'super_admin', 201],
  ]
  test.each(rules)('%s inviting a %s answers %i', async (role, invited, status) => {
    const inviter = await join(server, role, { organizationId })
    const answer = await inviter.request('POST', '/api/organizations/invitations', { role: invited, validFor })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toMatchObject({ code: 'ABOVE_RANK' })
  })

  test('an org_admin sees the invitation of a super_admin and cannot revoke it', async () => {
    const admin = await join(server, 'org_admin', { organizationId })
    const { invitation } = await invite(superAdmin, 'super_admin')
    expect((await list(admin)).invitations).toEqual([invitation])
    const { status, body } = await admin.refused(invitations.revoke, { params: { id: invitation.id } })
    expect([status, body.code]).toEqual([403, 'ABOVE_RANK'])
  })
})

test.each([
  {},
  { role: 'user' },
  { validFor },
  { role: 'founder', validFor },
  { role: 'user', validFor: limits.minInvitation - 1 },
  { role: 'user', validFor: limits.maxInvitation + 1 },
  { role: 'user', validFor: 1.5 * validFor + 0.5 },
  { role: 'user', validFor: '7 days' },
  { role: 'user', validFor: null },
  { role: ['user'], validFor },
])('creating with %j is refused', async (body) => {
  const answer = await superAdmin.request('POST', '/api/organizations/invitations', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  expect((await list(superAdmin)).invitations).toEqual([])
})

test('the list has pages, newest first', async () => {
  const made: string[] = []
  for (let at = 0; at < 5; at++) {
    await server.advance(10)
    made.unshift((await invite(superAdmin)).invitation.id)
  }
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await list(superAdmin, { limit: 2, after })
    seen.push(...page.invitations.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after !== undefined)
  expect(seen).toEqual(made)
})

test('an organization has no more open ones than anyone can keep track of', async () => {
  const { invitation } = await invite(superAdmin)
  await server.core.db.write(async (tx) => {
    for (let at = 1; at < limits.openInvitations; at++)
      await tx.run(
        `insert into invitations (id, token_hash, organization_id, role, created_by, created_at, expires_at)
         select ?, ?, organization_id, role, created_by, created_at, expires_at from invitations where id = ?`,
        [`${invitation.id}-${at}`, `hash ${organizationId} ${at}`, invitation.id],
      )
  })
  const refused = await superAdmin.refused(invitations.create, { body: { role: 'user', validFor } })
  expect([refused.status, refused.body.code]).toEqual([409, 'INVITATIONS_FULL'])
  await revoke(superAdmin, invitation)
  expect((await invite(superAdmin)).invitation.state).toBe('open')
})

test('administrators hear of what is made, revoked and used', async () => {
  const other = await join(server, 'org_admin', { organizationId })
  const socket = await other.socket()
  const heard = async () => {
    await socket.settled()
    return socket.frames.splice(0).filter(({ type }) => type === 'organization_changed').length
  }
  await heard()
  const { invitation } = await invite(superAdmin)
  expect(await heard()).toBe(1)
  await revoke(superAdmin, invitation)
  expect(await heard()).toBe(1)
  const { token } = await invite(superAdmin)
  await heard()
  await comeWith(token)
  expect(await heard()).toBe(1)
})
