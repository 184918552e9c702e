import { founderUsers } from '@privity/contract/founder/users'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { createOrganization, inviteInto, register } from '../../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
let organization: string
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  founder = await signInFounder(server)
  await register(server.visitor(), { firstName: 'Zoë', lastName: 'Quist', username: 'zoe.q' })
  organization = await createOrganization(server, 'Elsewhere')
  for (const [firstName, lastName, username] of [
    ['Noor', 'Haddad', 'noor.quist'],
    ['Aidan', 'Quist', 'aidan.q'],
  ] as const) {
    await server.advance(1000)
    await register(server.visitor(), { firstName, lastName, username }, await inviteInto(server, organization))
  }
})
afterAll(() => server.close())

const list = (query: Parameters<typeof founder.call<typeof founderUsers.list>>[1]['query']) =>
  founder.call(founderUsers.list, { query })
const names = ({ users }: Awaited<ReturnType<typeof list>>) => users.map(({ username }) => username)

test('each user comes with the organization they belong to', async () => {
  const { users } = await list({ sort: 'joined' })
  expect(users.map(({ username, organization: { name } }) => [username, name])).toEqual([
    ['zoe.q', 'Privity'],
    ['noor.quist', 'Elsewhere'],
    ['aidan.q', 'Elsewhere'],
  ])
  expect(users[1]?.organization.id).toBe(organization)
})

test('the list of one organization has its users alone, and counts them', async () => {
  const whole = await list({ organization })
  expect([names(whole), whole.total, whole.next]).toEqual([['aidan.q', 'noor.quist'], 2, null])
})

test('a search in one organization finds nobody of another', async () => {
  const found = await list({ organization, search: 'quist' })
  expect([names(found), found.total]).toEqual([['aidan.q', 'noor.quist'], 2])
  expect(names(await list({ organization, search: 'zoe' }))).toEqual([])
})

test.each([
  ['name', ['aidan.q', 'noor.quist']],
  ['email', ['aidan.q', 'noor.quist']],
  ['joined', ['noor.quist', 'aidan.q']],
] as const)('the users of one organization by %s, page by page, each once', async (sort, expected) => {
  for (const direction of ['asc', 'desc'] as const) {
    const first = await list({ organization, sort, direction, limit: 1 })
    const second = await list({ organization, sort, direction, limit: 1, after: first.next as string })
    const seen = [...names(first), ...names(second)]
    expect([direction === 'asc' ? seen : seen.toReversed(), second.next]).toEqual([expected, null])
  }
})

test('an organization that does not exist has no users', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000'
  expect(await list({ organization: unknown })).toEqual({ users: [], next: null, total: 0, more: false })
})

test('a suspended user is answered with their organization', async () => {
  const [user] = (await list({ organization })).users
  const answer = await founder.call(founderUsers.suspend, { params: { id: user?.id as string } })
  expect(answer).toMatchObject({ suspended: true, organization: { id: organization, name: 'Elsewhere' } })
})
