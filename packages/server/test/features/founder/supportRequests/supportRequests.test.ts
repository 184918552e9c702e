import { founderSupportRequests } from '@privity/contract/founder/supportRequests'
import { founderUsers } from '@privity/contract/founder/users'
import { support, type SupportDraft } from '@privity/contract/support'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
let anna: Member
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { supportRequest: many, other: many } } })
  founder = await signInFounder(server)
  anna = await server.signUp('anna')
})
afterAll(() => server.close())

async function ask(subject: string, part: Partial<SupportDraft> = {}, member = anna) {
  await server.advance(1)
  const draft = { subject, category: 'connections', message: 'It does not work.\nPlease help.' } as const
  return member.call(support.create, { body: { ...draft, ...part } })
}
const list = (query: Parameters<typeof founder.call<typeof founderSupportRequests.list>>[1]['query'] = {}) =>
  founder.call(founderSupportRequests.list, { query })
const set = (id: string, state: 'open' | 'closed') =>
  founder.call(founderSupportRequests.setState, { params: { id }, body: { state } })

test('a request is listed with who asked, and its text only where it is opened', async () => {
  const asked = await ask('Code does not work', { priority: 'urgent' })
  const answer = await founder.request('GET', '/api/founder/support-requests')
  expect(JSON.stringify(answer.body)).not.toContain('Please help.')
  const [first] = (await list()).requests
  const { message, ...listed } = asked
  const { id, username, firstName, lastName, email } = anna.user
  expect(first).toEqual({ ...listed, from: { id, username, firstName, lastName, email } })
  const whole = await founder.call(founderSupportRequests.get, { params: { id: asked.id } })
  expect(whole).toEqual({ ...first, message })
})

test('handled and opened again: the list, the number that wait, the author and the log follow', async () => {
  const { id, reference } = await ask('Handle me')
  const { open } = await list()
  expect(await set(id, 'closed')).toMatchObject({ id, state: 'closed' })
  expect((await list({ state: 'open' })).requests.map((each) => each.id)).not.toContain(id)
  expect((await list({ state: 'closed' })).requests.map((each) => each.id)).toContain(id)
  expect((await list()).open).toBe(open - 1)
  expect((await anna.call(support.list, {})).find((each) => each.id === id)).toMatchObject({ state: 'closed' })
  await Promise.all([set(id, 'closed'), set(id, 'closed')])
  await set(id, 'open')
  const entries = await selectAudit(server.core.db.read, 'target_id = ? and actor_id = ?', [id, 'founder'])
  expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { reference, before: 'open', after: 'closed' },
    { reference, before: 'closed', after: 'open' },
  ])
})

test('every page has what it should, with and without a state', async () => {
  for (let at = 0; at < 5; at++) await ask(`Request ${at}`)
  for (const state of [undefined, 'open', 'closed'] as const) {
    const whole = (await list({ limit: 100, ...(state && { state }) })).requests.map(({ id }) => id)
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await list({ limit: 2, ...(state && { state }), ...(after && { after }) })
      seen.push(...page.requests.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual(whole)
  }
})

test('one whose author was deleted is gone; malformed questions are refused', async () => {
  const ben = await server.signUp('ben')
  const { id } = await ask('Of ben', {}, ben)
  await founder.call(founderUsers.remove, { params: { id: ben.user.id } })
  for (const refused of [
    await founder.refused(founderSupportRequests.get, { params: { id } }),
    await founder.refused(founderSupportRequests.setState, { params: { id }, body: { state: 'closed' } }),
  ])
    expect(refused).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } })
  for (const query of ['state=gone', 'limit=0', 'limit=101', 'after=x'])
    expect((await founder.request('GET', `/api/founder/support-requests?${query}`)).status).toBe(400)
  const path = '/api/founder/support-requests/not-an-id'
  expect((await founder.request('GET', path)).status).toBe(400)
  expect((await founder.request('PUT', `${path}/state`, { state: 'closed' })).status).toBe(400)
})
