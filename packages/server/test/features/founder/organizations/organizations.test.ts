import { founderOrganizations } from '@privity/contract/founder/organizations'
import { invitations } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { findFiles } from '../../../support/scenes/traces.ts'
import { signInFounder } from '../../../support/founder/founder.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  founder = await signInFounder(server)
})
afterAll(() => server.close())

const create = (name: string, type = 'Legal') => founder.call(founderOrganizations.create, { body: { name, type } })
const invite = (id: string) => founder.call(founderOrganizations.invite, { params: { id } })
const check = (token: string) => server.visitor().request('POST', '/api/invitations/check', { token })

let people = 0
async function joinWith(token: string) {
  const username = `first.admin${(people += 1)}`
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: `${username}@example.com`, password: 'secret' }
  return server.visitor().call(session.register, { body: { ...person, username, invitation: token } })
}

test('a new organization is empty, and its link makes the first Super Admin, once', async () => {
  const made = await create(' Chambers of Law ')
  expect(made.organization).toMatchObject({ name: 'Chambers of Law', type: 'Legal', members: 0 })
  expect(made.expiresAt).toBe(server.clock.now() + limits.invitationUsual)
  const { body } = await check(made.token)
  expect(invitations.check.result.parse(body)).toMatchObject({ organization: 'Chambers of Law', role: 'super_admin' })
  // The token is in the response and stored nowhere.
  expect(await findFiles(server, [made.token])).toEqual([])
  expect(await joinWith(made.token)).toMatchObject({ role: 'super_admin' })
  expect((await check(made.token)).status).toBe(400)
  const { organizations } = await founder.call(founderOrganizations.list, { query: {} })
  expect(organizations.find(({ id }) => id === made.organization.id)).toMatchObject({ members: 1 })
})

test('another link ends the one before; once somebody has joined there is none', async () => {
  const { organization, token: first } = await create('Lost link')
  const { token: second } = await invite(organization.id)
  expect([(await check(first)).status, (await check(second)).status]).toEqual([400, 200])
  await joinWith(second)
  const refused = await founder.refused(founderOrganizations.invite, { params: { id: organization.id } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'ORGANIZATION_HAS_MEMBERS' } })
  const unknown = { params: { id: '01890000-0000-7000-8000-000000000000' } }
  expect((await founder.refused(founderOrganizations.invite, unknown)).body.code).toBe('ORGANIZATION_NOT_FOUND')
})

test('of two new links asked for at once, one works', async () => {
  const { organization } = await create('Twice')
  const made = await Promise.all([invite(organization.id), invite(organization.id)])
  const statuses = await Promise.all(made.map(async ({ token }) => (await check(token)).status))
  expect(statuses.toSorted()).toEqual([200, 400])
})

test('of a sign-up and a new link at the same moment, one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const { organization, token } = await create(`Race ${round}`)
    const outcomes = await Promise.allSettled([joinWith(token), invite(organization.id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('the list has all, the newest first, page by page', async () => {
  for (const name of ['One', 'Two', 'Three']) {
    await server.advance(1)
    await create(name)
  }
  const whole = await founder.call(founderOrganizations.list, { query: { limit: 200 } })
  expect(whole.organizations.slice(0, 3).map(({ name }) => name)).toEqual(['Three', 'Two', 'One'])
  expect(whole).toMatchObject({ next: null, total: whole.organizations.length })
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await founder.call(founderOrganizations.list, { query: { limit: 2, ...(after && { after }) } })
    seen.push(...page.organizations.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after !== undefined)
  expect(seen).toEqual(whole.organizations.map(({ id }) => id))
})

test.each([
  { name: '', type: 'Legal' },
  { name: '  ', type: 'Legal' },
  { name: 'x'.repeat(65), type: 'Legal' },
  { name: 'two\nlines', type: 'Legal' },
  { name: 'nul\0', type: 'Legal' },
  { name: 'Chambers', type: '' },
  { name: 'Chambers' },
  { name: ['Chambers'], type: 'Legal' },
  null,
])('%j makes none', async (body) => {
  const { total } = await founder.call(founderOrganizations.list, { query: {} })
  expect((await founder.request('POST', '/api/founder/organizations', body)).status).toBe(400)
  expect((await founder.call(founderOrganizations.list, { query: {} })).total).toBe(total)
})
