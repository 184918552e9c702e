import { limits } from '@privity/contract/limits'
import { incidents } from '@privity/contract/founder/incidents'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteUser } from '../../../../src/features/account/deletion.ts'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { createOrganization, join } from '../../../support/scenes/organization.ts'
import { failSignIn, report } from '../../../support/founder/incidents.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterEach(() => server.close())

const related = (incident: string, query: { before?: string; limit?: number } = {}) =>
  founder.call(incidents.related, { query: { incident, ...query } })

/**
 * Stages an attack with related events in another organization and at another address; resolves with the incident's id.
 */
async function attack(): Promise<string> {
  const elsewhere = await createOrganization(server, 'Elsewhere')
  const amara = await join(server, 'user', { username: 'amara', organizationId: elsewhere })
  const other = await server.signUp('helen')
  await server.advance(60 * 60_000)
  await report(other)
  await failSignIn(server, 'amara', '203.0.113.1', 4)
  await failSignIn(server, 'helen', '203.0.113.1', 1)
  await server.advance(60_000)
  // From the member's own browser, which the failures elsewhere have not locked.
  await amara.call(session.login, { body: { username: 'amara', password: amara.password } })
  await failSignIn(server, 'amara', '203.0.113.1')
  await server.advance(60_000)
  founder = await signInFounder(server)
  return `brute_force_attack:account:${amara.user.id}`
}

test('what was recorded of its users and addresses around its time, in every organization', async () => {
  const found = await related(await attack())
  const seen = found.map(({ action, performedBy, target }) =>
    [action, 'by', performedBy, ...(target?.kind === 'member' ? ['on', target.username] : [])].join(' '),
  )
  expect(seen.toSorted()).toEqual([
    'account_locked by Server on amara',
    ...Array.from({ length: 5 }, () => 'failed_sign_in by Unknown User on amara'),
    'failed_sign_in by Unknown User on helen',
    'signed_in by First amara Last amara',
  ])
  expect(found.map(({ performedAt }) => performedAt)).toEqual(
    found.map(({ performedAt }) => performedAt).toSorted((one, other) => other - one),
  )
  expect(found.find(({ action }) => action === 'signed_in')?.actor).toMatchObject({ username: 'amara' })
})

test('page by page nothing is left out and nothing comes twice, also within one millisecond', async () => {
  const incident = await attack()
  const all = await related(incident)
  expect(all.length).toBeGreaterThan(6)
  const paged: typeof all = []
  for (;;) {
    const page = await related(incident, { limit: 2, ...(paged.length > 0 && { before: paged.at(-1)?.id ?? '' }) })
    if (page.length === 0) break
    paged.push(...page)
  }
  expect(paged).toEqual(all)
})

test('of a deleted user everything is shown, without the name', async () => {
  const incident = await attack()
  const userId = incident.split(':').at(-1) as string
  await deleteUser(server.core, { userId, actorId: 'founder', address: undefined, action: 'user_deleted' })
  const found = await related(incident)
  expect(found[0]).toMatchObject({ action: 'user_deleted', actor: { kind: 'founder' }, target: { kind: 'deleted' } })
  expect(found.filter(({ target }) => target?.kind === 'deleted').length).toBeGreaterThanOrEqual(5)
  expect(JSON.stringify(found)).not.toContain('amara')
})

test('an incident that is over, or never was, says so; what is no page is refused', async () => {
  const incident = await attack()
  const refused = async (query: object) =>
    (await founder.refused(incidents.related, { query: query as { incident: string } })).body.code
  expect(await refused({ incident: 'nothing' })).toBe('INCIDENT_OVER')
  expect(await refused({})).toBe('INVALID_INPUT')
  for (const before of [
    '',
    '1',
    '1.a.x',
    "1.e.' or 1=1",
    `${'9'.repeat(16)}.a.1`,
    '1.b.1',
    'x.e.1',
    '.e.1',
    '1.5.e',
    '1.e.\0',
  ])
    expect(await refused({ incident, before }), before).toBe('INVALID_INPUT')
  expect(await refused({ incident, limit: 201 })).toBe('INVALID_INPUT')
  await server.advance(limits.incidentOpen)
  founder = await signInFounder(server)
  expect(await refused({ incident })).toBe('INCIDENT_OVER')
})
