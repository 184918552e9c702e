import { closeCodes } from '@privity/contract/events'
import { founderUsers } from '@privity/contract/founder/users'
import { invitations } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { createOrganization, inviteInto, join, register, setRole } from '../../../support/scenes/organization.ts'
import { createTalk } from '../../../support/scenes/conversation.ts'
import { sqliteTest } from '../../../support/database/sqliteTest.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  founder = await signInFounder(server)
})
afterAll(() => server.close())

const at = ({ user }: Pick<Member, 'user'>) => ({ params: { id: user.id } })
const suspend = (member: Pick<Member, 'user'>) => founder.call(founderUsers.suspend, at(member))
const unsuspend = (member: Pick<Member, 'user'>) => founder.call(founderUsers.unsuspend, at(member))
const remove = (member: Pick<Member, 'user'>) => founder.call(founderUsers.remove, at(member))
const signIn = async ({ user, password }: Pick<Member, 'user' | 'password'>) =>
  (await server.visitor().request('POST', '/api/login', { username: user.username, password })).status
const entriesOf = ({ user }: Pick<Member, 'user'>) =>
  selectAudit(server.core.db.read, "target_id = ? and actor_id = 'founder'", [user.id])

describe('listing and searching', () => {
  const people = [
    ['Zoë', 'Quist', 'zoe.q'],
    ['Aidan', 'Quist', 'aidan.q'],
    ['Mira', 'Öberg', 'quist.m'],
    ['Noor', 'Haddad', 'noor', 'noor@quist.example'],
  ] as const
  beforeAll(async () => {
    const elsewhere = await createOrganization(server, 'Elsewhere')
    for (const [index, [firstName, lastName, username, email = `${username}@example.com`]] of people.entries()) {
      await server.advance(1000)
      const invitation = index % 2 === 0 ? undefined : await inviteInto(server, elsewhere)
      await register(server.visitor(), { firstName, lastName, username, email }, invitation)
    }
  })

  const list = (query: Parameters<typeof founder.call<typeof founderUsers.list>>[1]['query']) =>
    founder.call(founderUsers.list, { query })
  const found = async (search: string) => (await list({ search })).users.map(({ username }) => username)

  test('finds users of every organization by names, email and username, ignoring case', async () => {
    expect(await found('QUIST')).toEqual(['aidan.q', 'quist.m', 'noor', 'zoe.q'])
    expect(await found('zoe')).toEqual(['zoe.q'])
    expect(await found('Quist aid')).toEqual(['aidan.q'])
    expect(await found('noor@quist')).toEqual(['noor'])
    expect(await found('oberg')).toEqual(['quist.m'])
    for (const nothing of ['nobody here', '%', "' or 1=1 --", '_']) expect(await found(nothing)).toEqual([])
  })

  test.each(['name', 'email', 'joined'] as const)('goes through all by %s, page by page, each once', async (sort) => {
    for (const direction of ['asc', 'desc'] as const) {
      for (const search of [undefined, 'quist']) {
        const whole = (await list({ sort, direction, limit: 200, ...(search && { search }) })).users
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await list({ sort, direction, limit: 1, ...(search && { search }), ...(after && { after }) })
          expect(page.total).toBe(whole.length)
          seen.push(...page.users.map(({ id }) => id))
          after = page.next ?? undefined
        } while (after !== undefined)
        expect(seen).toEqual(whole.map(({ id }) => id))
      }
    }
  })

  sqliteTest('plans')('each order and the search use an index', async () => {
    const plan = async (sql: string) =>
      (await server.core.db.read.all<{ detail: string }>(`explain query plan ${sql}`)).map(({ detail }) => detail)
    for (const columns of ['name_key, id', 'email, id', 'created_at, id'])
      for (const way of ['asc', 'desc']) {
        const order = columns.replace(',', ` ${way},`)
        const details = await plan(`select * from users u where 1 = 1 order by ${order} ${way} limit 50`)
        expect(details.join()).toMatch(/USING INDEX/)
        expect(details.join()).not.toContain('TEMP B-TREE')
      }
    const words = await plan("select user_id from user_words w where 1 = 1 and w.word >= 'a' and w.word < 'b'")
    expect(words.join()).toMatch(/SEARCH w USING (COVERING )?INDEX user_words_everywhere/)
  })

  test.each([
    'after=x',
    'sort=role',
    'sort=status',
    'limit=0',
    'limit=201',
    'limit=x',
    'organization=everywhere',
    `search=${'a'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    const { status, body } = await founder.request('GET', `/api/founder/users?${query}`)
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'INVALID_INPUT' })])
  })

  test('shows no key, verifier or code', async () => {
    const { body } = await founder.request('GET', '/api/founder/users?limit=1')
    const fields = 'createdAt,email,firstName,hasSecondFactor,id,isActive,lastName,organization,role,suspended,username'
    for (const user of (body as { users: object[] }).users) expect(Object.keys(user).sort().join()).toBe(fields)
  })
})

describe('suspending', () => {
  test('ends sessions and sockets at once with its reason, and keeps them out until it is lifted', async () => {
    const { anna, ben, text, send } = await createTalk(server)
    await send(anna)
    const [own, bens] = [await anna.socket(), await ben.socket()]
    expect(await suspend(anna)).toMatchObject({ id: anna.user.id, suspended: true, isActive: true })
    expect([await own.closed, await own.closedFor]).toEqual([closeCodes.sessionEnded, 'suspended'])
    expect(await bens.next('party_changed')).toMatchObject({ party: { available: false } })
    expect((await anna.request('GET', '/api/user')).status).toBe(401)
    expect((await anna.request('POST', '/api/messages', text(anna))).status).toBe(401)
    expect(await signIn(anna)).toBe(403)
    const refused = await ben.request('POST', '/api/messages', text(ben))
    expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ code: 'PEER_UNAVAILABLE' })])

    expect(await unsuspend(anna)).toMatchObject({ suspended: false })
    expect(await bens.next('party_changed')).toMatchObject({ party: { available: true } })
    expect(await signIn(anna)).toBe(200)
    const entries = (await entriesOf(anna)).map(({ action, details, address }) => [action, details, address])
    expect(entries).toEqual([
      ['user_suspended', '{"before":false,"after":true}', founder.address],
      ['user_unsuspended', '{"before":true,"after":false}', founder.address],
    ])
  })

  test('a second time changes nothing and leaves no entry', async () => {
    const member = await join(server)
    expect(await unsuspend(member)).toMatchObject({ suspended: false })
    await suspend(member)
    expect(await suspend(member)).toMatchObject({ suspended: true })
    expect(await entriesOf(member)).toHaveLength(1)
  })

  test('ends the invitations they made', async () => {
    const [admin] = [await join(server, 'org_admin')]
    const body = { role: 'user', validFor: limits.invitationUsual } as const
    const { token } = await admin.call(invitations.create, { body })
    await suspend(admin)
    const refused = await server.visitor().refused(invitations.check, { body: { token } })
    expect(refused.body.code).toBe('INVITATION_INVALID')
  })

  test('what their organization says about them stays as it was', async () => {
    const member = await join(server)
    await server.core.db.write((tx) => tx.run('update users set is_active = 0 where id = ?', [member.user.id]))
    expect(await suspend(member)).toMatchObject({ suspended: true, isActive: false })
    expect(await unsuspend(member)).toMatchObject({ suspended: false, isActive: false })
    expect(await signIn(member)).toBe(403)
  })

  test('a sign-in that is under way comes to nothing', async () => {
    const member = await join(server)
    const [status] = await Promise.all([signIn(member), suspend(member)])
    expect([200, 403]).toContain(status)
    const left = await server.core.db.read.all('select id from sessions where user_id = ?', [member.user.id])
    expect(left).toEqual([])
  })
})

describe('the last Super Admin of an organization', () => {
  test('is neither suspended nor deleted while it has other members, and the refusal says why', async () => {
    const organizationId = await createOrganization(server, 'Chambers')
    const [last, other] = [
      await join(server, 'super_admin', { organizationId }),
      await join(server, 'user', { organizationId }),
    ]
    for (const call of [founderUsers.suspend, founderUsers.remove]) {
      const refused = await founder.refused(call, at(last))
      expect(refused).toMatchObject({ status: 409, body: { code: 'LAST_SUPER_ADMIN' } })
      expect(refused.body.error).toBe(
        'This is the last Super Admin of an organization with other members. Another member must have that role first.',
      )
    }
    expect(await entriesOf(last)).toEqual([])
    await setRole(server, other, 'super_admin')
    await suspend(last)
    // A suspended Super Admin does not count.
    expect((await founder.refused(founderUsers.remove, at(other))).body.code).toBe('LAST_SUPER_ADMIN')
    await remove(last)
    // The organization has no members left who would need a Super Admin.
    await remove(other)
  })

  test('of two who are suspended at once, one stays', async () => {
    const organizationId = await createOrganization(server, 'Two')
    const both = [
      await join(server, 'super_admin', { organizationId }),
      await join(server, 'super_admin', { organizationId }),
    ]
    await join(server, 'user', { organizationId })
    const answers = await Promise.all(
      both.map(({ user }) => founder.request('PUT', `/api/founder/users/${user.id}/suspend`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('deleting', () => {
  test('signs them out with the reason, tells their contacts, and is entered once', async () => {
    const { anna, ben, connection, send } = await createTalk(server)
    await send(anna)
    const [own, bens] = [await anna.socket(), await ben.socket()]
    await remove(anna)
    expect([await own.closed, await own.closedFor]).toEqual([closeCodes.sessionEnded, 'deleted'])
    expect(await bens.next('connection_removed')).toMatchObject({ connectionId: connection.id })
    expect(await signIn(anna)).toBe(401)
    const entries = (await entriesOf(anna)).filter(({ action }) => action === 'user_deleted')
    expect(entries.map(({ details }) => details)).toEqual(['{"role":"user","isActive":true,"suspended":false}'])
  })

  test('a locked and suspended one goes too', async () => {
    const member = await join(server)
    for (let time = 0; time < 5; time++) await signIn({ ...member, password: 'wrong' })
    await suspend(member)
    await remove(member)
    expect(await server.core.db.read.all('select 1 from sign_in_locks where account = ?', [member.user.id])).toEqual([])
  })

  test('of several at once, one does it, and none fails otherwise', async () => {
    const member = await join(server)
    const path = `/api/founder/users/${member.user.id}`
    const answers = await Promise.all([
      founder.request('DELETE', path),
      founder.request('PUT', `${path}/suspend`),
      founder.request('DELETE', path),
      founder.request('PUT', `${path}/unsuspend`),
      founder.request('POST', `/api/founder/unlock-account/${member.user.id}`),
    ])
    for (const { status, body } of answers)
      expect(status === 200 || (body as { code: string }).code === 'ACCOUNT_NOT_FOUND').toBe(true)
    expect([answers[0], answers[2]].map((answer) => answer?.status).toSorted()).toEqual([200, 404])
    expect((await entriesOf(member)).filter(({ action }) => action === 'user_deleted')).toHaveLength(1)
  })
})

test.each(['not-an-id', '%00', '..%2f..', `${'9'.repeat(400)}`, 'founder', "1' or '1'='1"])(
  'the malformed id %j is refused',
  async (id) => {
    const text = encodeURIComponent(id)
    for (const [method, path] of [
      ['PUT', `/api/founder/users/${text}/suspend`],
      ['PUT', `/api/founder/users/${text}/unsuspend`],
      ['DELETE', `/api/founder/users/${text}`],
      ['POST', `/api/founder/unlock-account/${text}`],
    ] as const) {
      const { status } = await founder.request(method, path)
      expect([400, 404, 414]).toContain(status)
    }
  },
)

test('somebody who was never there is not found', async () => {
  for (const call of [founderUsers.suspend, founderUsers.unsuspend, founderUsers.remove]) {
    const refused = await founder.refused(call, { params: { id: '01890000-0000-7000-8000-000000000000' } })
    expect(refused).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } })
  }
})
