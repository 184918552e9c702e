import { incidents } from '@privity/contract/founder/incidents'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OpenedIncident } from '../../../../src/core/cluster/bus.ts'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { failSignIn } from '../../../support/founder/incidents.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const day = 24 * 60 * 60_000

let server: TestServer
let opened: OpenedIncident[]
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
  await server.signUp('amara')
})
afterEach(() => server.close())

function hearOpened(): void {
  opened = []
  server.core.bus.subscribe('incidentOpened', (incident) => void opened.push(incident))
}

const fail = (times: number) => failSignIn(server, 'amara', '203.0.113.1', times)
const list = async () => (await signInFounder(server)).call(incidents.list, {})

/** Runs `work` while the clock is 60 days ahead; a minute later it is right. */
async function ahead(work: () => Promise<void>): Promise<void> {
  server.clock.ahead = 60 * day
  await work()
  server.clock.ahead = 0
  await server.core.db.write((tx) => tx.run('delete from sign_in_locks'))
  await server.advance(60_000)
}

test.each([false, true])('events dated ahead hide no attack of now (after a restart: %s)', async (restarts) => {
  await ahead(async () => {
    await fail(1)
    await list()
  })
  if (restarts) await server.restart()
  hearOpened()
  await fail(5)
  expect((await list()).map(({ type, eventCount }) => [type, eventCount])).toEqual([['brute_force_attack', 5]])
  expect(opened).toHaveLength(1)
})

test('an attack dated ahead is no open incident once the clock is right', async () => {
  await ahead(async () => {
    await fail(5)
    expect(await list()).toHaveLength(1)
  })
  expect(await list()).toEqual([])
})

test('events stored while the clock was behind count once it is right', async () => {
  await fail(5)
  server.clock.ahead = -60 * day
  await server.restart()
  await server.advance(60_000)
  server.clock.ahead = 0
  await server.advance(60_000)
  expect(await list()).toHaveLength(1)
})

test('an acknowledgement dated ahead covers no attack of now', async () => {
  await ahead(async () => {
    await fail(5)
    const founder = await signInFounder(server)
    const [{ id } = { id: '' }] = await founder.call(incidents.list, {})
    await founder.call(incidents.acknowledge, { body: { incident: id } })
  })
  await fail(5)
  const [incident] = await list()
  expect(incident).toMatchObject({ type: 'brute_force_attack' })
  expect(incident).not.toHaveProperty('acknowledgement')
})
