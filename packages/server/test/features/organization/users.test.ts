import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { organization, type OrganizationUser, type UserSort } from '@privity/contract/organization'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { join, register, setRole } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
let admin: Member
const people = [
  ['Amara', 'Osei', 'amara.osei'],
  ['Jürgen', 'Müller-Lüdenscheidt', 'jml'],
  ['Sinéad', "O'Neill", 'sinead_o'],
  ['amara', 'Zulu', 'zulu'],
  ['Ben', 'Ito', 'ben', 'ben@mail.chambers.example'],
  ['Ägidius', 'Weiß', 'aegidius'],
] as const

beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, other: many } } })
  admin = await server.signUp('admin', { keys: false })
  await setRole(server, admin, 'org_admin')
  for (const [firstName, lastName, username, email = `${username}@example.com`] of people) {
    await server.advance(1000)
    await register(server.visitor(), { firstName, lastName, username, email })
  }
})
afterAll(() => server.close())

const list = (query: Parameters<typeof admin.call<typeof organization.users>>[1]['query'] = {}) =>
  admin.call(organization.users, { query })
const names = (users: readonly OrganizationUser[]) => users.map(({ username }) => username)
const found = async (search: string) => names((await list({ search })).users)

describe('the current organization', () => {
  test('has its name, its type, its first users by name and its numbers, and no key or verifier', async () => {
    const answer = await admin.request('GET', '/api/organizations/current')
    const body = organization.current.result.parse(answer.body)
    expect(body).toMatchObject({ name: expect.any(String), type: expect.any(String), next: null })
    expect(body.statistics).toEqual({ total: 7, active: 7, inactive: 0, admins: 1, activeAdmins: 1, users: 6 })
    expect(names(body.users)).toEqual(names((await list()).users))
    const fields = 'createdAt,email,firstName,hasSecondFactor,id,isActive,lastName,role,suspended,username'
    for (const user of (answer.body as { users: object[] }).users) expect(Object.keys(user).sort().join()).toBe(fields)
  })
})

describe('sorting', () => {
  const sorted: [UserSort, string[]][] = [
    ['name', ['aegidius', 'amara.osei', 'zulu', 'ben', 'admin', 'jml', 'sinead_o']],
    ['email', ['admin', 'aegidius', 'amara.osei', 'ben', 'jml', 'sinead_o', 'zulu'].toSorted(byEmail)],
    ['joined', ['admin', ...people.map(([, , username]) => username)]],
  ]
  function byEmail(one: string, other: string): number {
    const of = (name: string) => (name === 'ben' ? 'ben@mail' : `${name}@example`)
    return of(one) < of(other) ? -1 : 1
  }

  test.each(sorted)('by %s, upwards and downwards', async (sort, expected) => {
    expect(names((await list({ sort })).users)).toEqual(expected)
    expect(names((await list({ sort, direction: 'desc' })).users)).toEqual(expected.toReversed())
  })

  test('by role and by status, the same ones by name', async () => {
    const { users } = await list({ sort: 'role' })
    expect(names(users)).toEqual(['admin', 'aegidius', 'amara.osei', 'zulu', 'ben', 'jml', 'sinead_o'])
    await server.core.db.write((tx) => tx.run("update users set is_active = 0 where username in ('ben', 'zulu')"))
    const byStatus = names((await list({ sort: 'status' })).users)
    expect(byStatus.slice(-2).toSorted()).toEqual(['ben', 'zulu'])
    expect(names((await list({ sort: 'status', direction: 'desc' })).users)).toEqual(byStatus.toReversed())
    const { statistics } = await admin.call(organization.current, {})
    expect(statistics).toEqual({ total: 7, active: 5, inactive: 2, admins: 1, activeAdmins: 1, users: 6 })
    await server.core.db.write((tx) => tx.run('update users set is_active = 1'))
    expect((await admin.call(organization.current, {})).statistics).toMatchObject({ active: 7, inactive: 0 })
  })

  test('who is suspended does not count as active', async () => {
    const suspend = (by: number) =>
      server.core.db.write((tx) => tx.run("update users set suspended = ? where username = 'ben'", [by]))
    await suspend(1)
    expect((await admin.call(organization.current, {})).statistics).toMatchObject({ active: 6, inactive: 1 })
    await suspend(0)
    expect((await admin.call(organization.current, {})).statistics).toMatchObject({ active: 7, inactive: 0 })
  })
})

describe('searching', () => {
  test.each([
    ['amara', ['amara.osei', 'zulu']],
    ['AMARA zu', ['zulu']],
    ['muller', ['jml']],
    ['MÜLLER', ['jml']],
    ['lüdensch', ['jml']],
    ['neill', ['sinead_o']],
    ["o'nei", ['sinead_o']],
    ['weiss', ['aegidius']],
    ['osei@example.com', ['amara.osei']],
    ['@mail.chambers', ['ben']],
    ['chambers.example', ['ben']],
    ['ulu', []],
    ['amara ben', []],
    ['%', []],
    ['*', []],
    ["' or 1=1 --", []],
  ] as [string, string[]][])('%j finds %j', async (search, expected) => {
    const page = await list({ search })
    expect(names(page.users)).toEqual(expected)
    expect(page).toMatchObject({ total: expected.length, more: false, next: null })
  })

  test('a blank search is none', async () => {
    expect(await list({ search: '   ' })).toEqual(await list())
  })

  test('follows a new name and address at once', async () => {
    const member = await server.signUp('renamed', { keys: false })
    expect(await found('first renamed')).toEqual(['renamed'])
    const { password } = member
    const body = { firstName: 'Quincy', lastName: 'Xu', email: 'quincy@other.example', password }
    await member.call(account.updateProfile, { body })
    expect(await found('quin xu')).toEqual(['renamed'])
    expect(await found('first renamed')).toEqual([])
    expect(await found('renamed@example.com')).toEqual([])
    const rows = await server.core.db.read.all<{ word: string }>('select word from user_words where user_id = ?', [
      member.user.id,
    ])
    expect(JSON.stringify(rows)).not.toContain('example.com')
  })
})

describe('pages', () => {
  test.each(['name', 'email', 'role', 'status', 'joined'] as const)(
    'sorted by %s have everybody once, in the order of the whole list, both ways and searched',
    async (sort) => {
      for (const query of [{}, { search: 'example' }, { direction: 'desc' as const }]) {
        const whole = await list({ sort, ...query })
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await list({ sort, ...query, limit: 2, after })
          expect(page.total).toBe(whole.total)
          seen.push(...names(page.users))
          after = page.next ?? undefined
        } while (after !== undefined)
        expect(seen).toEqual(names(whole.users))
        expect(seen.length).toBeGreaterThan(5)
      }
    },
  )

  test('go on where they ended although the last one of the page is gone', async () => {
    const gone = await server.signUp('aaa-gone', { keys: false })
    const page = await list({ sort: 'email', limit: 1 })
    expect(names(page.users)).toEqual(['aaa-gone'])
    await server.core.db.write((tx) => tx.run('delete from users where id = ?', [gone.user.id]))
    expect(names((await list({ sort: 'email', limit: 1, after: page.next as string })).users)).toEqual(['admin'])
  })

  test('are refused where the cursor is of another list, or no cursor', async () => {
    const { next } = await list({ sort: 'name', limit: 1 })
    const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const other = cursor('name', 'asc', {})
    const bad = [
      { sort: 'email', after: next },
      { sort: 'name', direction: 'desc', after: next },
      { sort: 'joined', after: cursor('joined', 'asc', 'yesterday', 'id') },
      { sort: 'status', after: cursor('status', 'asc', 'x', 'name', 'id') },
      { sort: 'email', after: cursor('email', 'asc', 7, 'id') },
      { sort: 'email', after: cursor('email', 'asc', 'a\0b', 'id') },
      { search: 'a\0b' },
      ...['x', '%00', 'W10', other, 'a'.repeat(2048)].map((after) => ({ after })),
    ] as { after?: string; search?: string }[]
    for (const query of bad) {
      const { status, body } = await admin.refused(organization.users, { query })
      expect([status, body.code], JSON.stringify(query)).toEqual([400, 'INVALID_INPUT'])
    }
  })

  test.each([{ limit: 0 }, { limit: 201 }, { limit: 'x' }, { sort: 'password_hash' }, { direction: 'up' }])(
    'refuse %j',
    async (query) => {
      const answer = await admin.request(
        'GET',
        `/api/organizations/users?${new URLSearchParams(query as never).toString()}`,
      )
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    },
  )

  test('refuse a search longer than anyone types, and take one of many words', async () => {
    const long = await admin.refused(organization.users, {
      query: { search: 'x'.repeat(limits.userSearchCharacters + 1) },
    })
    expect(long.status).toBe(400)
    expect(await found('a b c d e f g h i j k l m n o p q r s t u v w x y z')).toEqual([])
  })
})

test('if more users match than are counted, pages stay the same, and the total says at least', async () => {
  const member = await join(server, 'user', { username: 'model' })
  const { id: like } = member.user
  const count = limits.userSearchCounted + 20
  await server.core.db.write(async (tx) => {
    for (let at = 0; at < count; at++) {
      const [id, name] = [newId(server.clock.now()), `crowd-${at}`]
      const columns = 'organization_id, role, password_hash, created_at'
      await tx.run(
        `insert into users (id, username, email, first_name, last_name, connection_code, name_key, ${columns})
         select ?, ?, ?, 'Crowd', ?, ?, ?, ${columns} from users where id = ?`,
        [id, name, name, `${at}`, name, `crowd ${at}`, like],
      )
      const words = ['crowd', ...(at % 2 === 0 ? ['even'] : []), ...(at === 7 ? ['seven'] : [])]
      for (const word of words)
        await tx.run(
          `insert into user_words (user_id, word, organization_id, name_key)
           select ?, ?, organization_id, ? from users where id = ?`,
          [id, word, `crowd ${at}`, like],
        )
    }
  })
  const page = await list({ search: 'crowd', limit: 3 })
  expect(page).toMatchObject({ total: limits.userSearchCounted, more: true })
  expect(names(page.users)).toEqual(['crowd-0', 'crowd-1', 'crowd-10'])
  const second = await list({ search: 'crowd', limit: 3, after: page.next as string })
  expect(names(second.users)).toEqual(['crowd-100', 'crowd-1000', 'crowd-1001'])
  const both = await list({ search: 'even crowd', limit: 2, direction: 'desc' })
  expect([both.total, both.more, names(both.users)]).toEqual([count / 2, false, ['crowd-998', 'crowd-996']])
  expect(names((await list({ search: 'crowd seven' })).users)).toEqual(['crowd-7'])
})
