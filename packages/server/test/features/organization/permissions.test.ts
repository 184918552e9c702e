import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { closeCodes } from '@privity/contract/events'
import { organization, userAdministration } from '@privity/contract/organization'
import { session, type Role } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import type { UserRow } from '../../../src/core/database/tables/users.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join, setRole } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())

type Act = 'deactivate' | 'delete' | 'role'
const acts: Act[] = ['deactivate', 'delete', 'role']

const at = ({ user }: Member) => ({ params: { id: user.id } })
const request = (actor: Member, act: Act, id: string, role: Role = 'org_admin') => {
  if (act === 'delete') return actor.request('DELETE', `/api/users/${id}`)
  const [part, body] = act === 'role' ? ['role', { role }] : ['status', { isActive: false }]
  return actor.request('PATCH', `/api/users/${id}/${part}`, body)
}
const rowOf = ({ user }: Member) => server.core.db.read.get<UserRow>('select * from users where id = ?', [user.id])
const lastEntry = () => server.core.db.read.get<AuditRow>('select * from audit_log order by seq desc limit 1')

/** Every pair of roles, and whether the first may act on the second. */
const pairs: [Role, Role, Act, number, string?][] = [
  ['user', 'user', 'deactivate', 403, 'FORBIDDEN'],
  ['user', 'user', 'delete', 403, 'FORBIDDEN'],
  ['user', 'user', 'role', 403, 'FORBIDDEN'],
  ['org_admin', 'user', 'deactivate', 200],
  ['org_admin', 'user', 'delete', 200],
  ['org_admin', 'user', 'role', 403, 'FORBIDDEN'],
  ['org_admin', 'org_admin', 'deactivate', 200],
  ['org_admin', 'org_admin', 'delete', 200],
  ['org_admin', 'org_admin', 'role', 403, 'FORBIDDEN'],
  ['org_admin', 'super_admin', 'deactivate', 403, 'ABOVE_RANK'],
  ['org_admin', 'super_admin', 'delete', 403, 'ABOVE_RANK'],
  ['org_admin', 'super_admin', 'role', 403, 'FORBIDDEN'],
  ['super_admin', 'user', 'deactivate', 200],
  ['super_admin', 'user', 'delete', 200],
  ['super_admin', 'user', 'role', 200],
  ['super_admin', 'org_admin', 'role', 200],
  ['super_admin', 'super_admin', 'deactivate', 200],
  ['super_admin', 'super_admin', 'delete', 200],
  ['super_admin', 'super_admin', 'role', 200],
]

describe('who may do what to whom', () => {
  test.each(pairs)('%s to %s: %s answers %i %s', async (actorRole, targetRole, act, status, code) => {
    const [actor, target] = [await join(server, actorRole), await join(server, targetRole)]
    const before = await rowOf(target)
    const answer = await request(actor, act, target.user.id, targetRole === 'org_admin' ? 'user' : 'org_admin')
    expect(answer).toMatchObject(code === undefined ? { status } : { status, body: { code } })
    const after = await rowOf(target)
    if (status !== 200) expect(after).toEqual(before)
    else expect(after).not.toEqual(before)
  })

  test.each(acts)('nobody may use %s on their own account, not even as one of several Super Admins', async (act) => {
    await join(server, 'super_admin')
    for (const role of ['org_admin', 'super_admin'] as const) {
      const actor = await join(server, role)
      const answer = await request(actor, act, actor.user.id)
      const code = act === 'role' && role === 'org_admin' ? 'FORBIDDEN' : 'OWN_ACCOUNT'
      expect(answer).toMatchObject({ status: 403, body: { code } })
    }
  })

  test.each(acts)('ids that never were, are malformed or are gone are refused: %s', async (act) => {
    const [actor, gone] = [await join(server, 'super_admin'), await server.signUp()]
    await actor.call(userAdministration.remove, at(gone))
    for (const id of ['01900000-0000-7000-8000-000000000000', gone.user.id])
      expect(await request(actor, act, id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    for (const id of ['x', '%00', 'a'.repeat(90), gone.user.id.toUpperCase()])
      expect(await request(actor, act, id), id).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect((await actor.call(session.getUser, {})).id).toBe(actor.user.id)
  })

  test.each([{}, { isActive: 1 }, { isActive: 'true' }, { isActive: null }, [], 'x', { role: 'founder' }])(
    'a body of %j is refused',
    async (body) => {
      const [actor, target] = [await join(server, 'super_admin'), await server.signUp()]
      for (const part of ['status', 'role']) {
        const answer = await actor.request('PATCH', `/api/users/${target.user.id}/${part}`, body)
        expect(answer.status, part).toBe(400)
      }
    },
  )
})

describe('deactivating', () => {
  test('deactivating ends sessions and sockets at once and notifies contacts; activating undoes it', async () => {
    const [admin, target, contact] = [await join(server, 'org_admin'), await server.signUp(), await server.signUp()]
    await server.connect(target, contact)
    const [own, theirs] = [await target.socket(), await contact.socket()]
    await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: false } })
    expect(await own.closed).toBe(closeCodes.sessionEnded)
    expect(await own.closedFor).toBe('deactivated')
    expect((await target.refused(session.getUser, {})).status).toBe(401)
    const { username } = target.user
    const body = { username, password: target.password }
    expect((await server.visitor().refused(session.login, { body })).body.code).toBe('ACCOUNT_UNAVAILABLE')
    await theirs.settled()
    const told = theirs.frames.filter((frame) => frame.type === 'party_changed').map(({ party }) => party.available)
    expect(told.at(-1)).toBe(false)
    const [seen] = await contact.call(connections.list, {})
    expect([seen?.user1, seen?.user2].find((party) => party?.id === target.user.id)?.available).toBe(false)

    const answer = await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: true } })
    expect(answer).toMatchObject({ id: target.user.id, isActive: true })
    await theirs.settled()
    const again = theirs.frames.filter((frame) => frame.type === 'party_changed').map(({ party }) => party.available)
    expect(again.at(-1)).toBe(true)
    expect((await server.visitor().call(session.login, { body })).id).toBe(target.user.id)
  })

  test('says before and after, once; what changes nothing leaves no entry and ends no session', async () => {
    const [admin, target] = [await join(server, 'org_admin'), await server.signUp()]
    await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: true } })
    expect((await target.call(session.getUser, {})).isActive).toBe(true)
    await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: false } })
    const entry = await lastEntry()
    expect(entry).toMatchObject({ action: 'user_deactivated', actor_id: admin.user.id, target_id: target.user.id })
    expect(JSON.parse(entry?.details ?? '')).toEqual({ before: true, after: false })
    await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: false } })
    expect((await lastEntry())?.seq).toBe(entry?.seq)
  })
})

describe('another role', () => {
  test('ends sessions and sockets, and holds from then on', async () => {
    const [admin, target] = [await join(server, 'super_admin'), await join(server, 'org_admin')]
    const socket = await target.socket()
    const body = { role: 'user' } as const
    expect((await admin.call(userAdministration.setRole, { ...at(target), body })).role).toBe('user')
    expect(await socket.closed).toBe(closeCodes.sessionEnded)
    expect(await socket.closedFor).toBe('role_user')
    expect((await target.refused(organization.current, {})).status).toBe(401)
    await target.call(session.login, { body: { username: target.user.username, password: target.password } })
    expect((await target.refused(organization.current, {})).body.code).toBe('FORBIDDEN')
    const entry = await server.core.db.read.get<AuditRow>(
      "select * from audit_log where action = 'user_role_changed' order by seq desc limit 1",
    )
    expect(JSON.parse(entry?.details ?? '')).toEqual({ before: 'org_admin', after: 'user' })
  })

  test('that is the same changes nothing', async () => {
    const [admin, target] = [await join(server, 'super_admin'), await server.signUp()]
    await admin.call(userAdministration.setRole, { ...at(target), body: { role: 'user' } })
    expect((await target.call(session.getUser, {})).role).toBe('user')
    expect((await lastEntry())?.action).not.toBe('user_role_changed')
  })
})

describe('deleting', () => {
  test('takes everything along, ends the sockets, and removes the connections of others live', async () => {
    const [admin, target, contact] = [await join(server, 'org_admin'), await server.signUp(), await server.signUp()]
    const { id: connectionId } = await server.connect(target, contact)
    const [own, theirs] = [await target.socket(), await contact.socket()]
    await admin.call(userAdministration.remove, at(target))
    expect(await own.closed).toBe(closeCodes.sessionEnded)
    expect(await own.closedFor).toBe('deleted')
    expect(theirs.raw.readyState).toBe(theirs.raw.OPEN)
    await theirs.settled()
    expect(theirs.frames).toContainEqual({ type: 'connection_removed', connectionId })
    expect(await rowOf(target)).toBeUndefined()
    const words = await server.core.db.read.all('select 1 from user_words where user_id = ?', [target.user.id])
    expect(words).toEqual([])
    const entry = await server.core.db.read.get<AuditRow>(
      "select * from audit_log where action = 'user_deleted' order by seq desc limit 1",
    )
    expect(entry).toMatchObject({ actor_id: admin.user.id, target_id: target.user.id })
    expect(JSON.parse(entry?.details ?? '')).toEqual({ role: 'user', isActive: true, suspended: false })
  })
})

describe('at the same moment', () => {
  const superAdmins = async (organizationId: string) =>
    (
      await server.core.db.read.all(
        "select 1 from users where organization_id = ? and role = 'super_admin' and is_active = 1",
        [organizationId],
      )
    ).length

  test.each(acts)('two Super Admins who %s each other leave one', async (act) => {
    for (let round = 0; round < 5; round++) {
      const organizationId = await createOrganization(server, `race ${act} ${round}`)
      const [one, other] = [
        await join(server, 'super_admin', { organizationId }),
        await join(server, 'super_admin', { organizationId }),
      ]
      await join(server, 'user', { organizationId })
      const answers = await Promise.all([
        request(one, act, other.user.id, 'user'),
        request(other, act, one.user.id, 'user'),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
      expect(await superAdmins(organizationId)).toBe(1)
    }
  })

  test('one who leaves while the other demotes them, or is demoted, leaves one', async () => {
    for (let round = 0; round < 5; round++) {
      const organizationId = await createOrganization(server, `leaving ${round}`)
      const [one, other] = [
        await join(server, 'super_admin', { organizationId }),
        await join(server, 'super_admin', { organizationId }),
      ]
      await join(server, 'user', { organizationId })
      const { username } = one.user
      await Promise.all([
        one.request('POST', account.remove.path, { username, password: one.password }),
        request(round % 2 === 0 ? one : other, 'role', (round % 2 === 0 ? other : one).user.id, 'user'),
      ])
      expect(await superAdmins(organizationId)).toBe(1)
    }
  })

  test('the same person is deleted once', async () => {
    const [one, other, target] = [
      await join(server, 'org_admin'),
      await join(server, 'org_admin'),
      await server.signUp(),
    ]
    const answers = await Promise.all([one, other].map((admin) => request(admin, 'delete', target.user.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })
})

test('every signed-in administrator of the organization, and nobody else, hears of each change', async () => {
  const organizationId = await createOrganization(server, 'listening')
  const here = (role: Role) => join(server, role, { organizationId })
  const [admin, other, user, target] = [
    await here('super_admin'),
    await here('org_admin'),
    await here('user'),
    await here('user'),
  ]
  const stranger = await join(server, 'super_admin')
  const hearing = await Promise.all([admin, other].map((each) => each.socket()))
  const deaf = await Promise.all([user, stranger].map((each) => each.socket()))
  const heard = async () => {
    for (const socket of [...hearing, ...deaf]) await socket.settled()
    const counts = [...hearing, ...deaf].map(
      ({ frames }) => frames.filter(({ type }) => type === 'organization_changed').length,
    )
    for (const socket of [...hearing, ...deaf]) socket.frames.length = 0
    return counts
  }
  await heard()
  await admin.call(userAdministration.setStatus, { ...at(target), body: { isActive: false } })
  expect(await heard()).toEqual([1, 1, 0, 0])
  await admin.call(userAdministration.setRole, { ...at(target), body: { role: 'org_admin' } })
  expect(await heard()).toEqual([1, 1, 0, 0])
  await admin.call(userAdministration.remove, at(target))
  expect(await heard()).toEqual([1, 1, 0, 0])
  const { firstName, email } = user.user
  await user.call(account.updateProfile, { body: { firstName, lastName: 'New', email } })
  expect(await heard()).toEqual([1, 1, 0, 0])
  await user.call(account.remove, { body: { username: user.user.username, password: user.password } })
  expect((await heard()).slice(0, 2)).toEqual([1, 1])
})

test('an administrator who is suspended or was demoted a moment ago does nothing more', async () => {
  const [admin, target] = [await join(server, 'super_admin'), await server.signUp()]
  await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [admin.user.id]))
  expect(await request(admin, 'delete', target.user.id)).toMatchObject({ body: { code: 'ACCOUNT_UNAVAILABLE' } })
  await server.core.db.write((tx) => tx.run('update users set suspended = 0 where id = ?', [admin.user.id]))
  await setRole(server, admin, 'user')
  expect(await request(admin, 'delete', target.user.id)).toMatchObject({ body: { code: 'FORBIDDEN' } })
  expect(await rowOf(target)).toBeDefined()
})

test('the numbers that are kept are those that counting gives, after all of this', async () => {
  const counted = await server.core.db.read.all(
    `select organization_id, role, is_active * (1 - suspended) as is_active, count(*) as users from users
     group by 1, 2, 3 order by 1, 2, 3`,
  )
  const kept = await server.core.db.read.all(
    `select organization_id, role, is_active, users from user_counts where users > 0
     order by organization_id, role, is_active`,
  )
  expect(kept).toEqual(counted)
  expect(counted.length).toBeGreaterThan(10)
})
