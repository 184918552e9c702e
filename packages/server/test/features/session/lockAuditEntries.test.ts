import { auditLogs } from '@privity/contract/auditLogs'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

// Each attempt costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())

const entries = (admin: Member) => admin.call(auditLogs.list, { query: { action: 'account_locked' } })
const count = async () => (await server.core.db.read.get<{ n: number }>('select count(*) as n from audit_log'))?.n
async function guess(username: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++)
    await server.visitor().refused(session.login, { body: { username, password: 'a guess' } })
}

async function office() {
  const organizationId = await createOrganization(server, 'Chambers')
  return { admin: await join(server, 'org_admin', { organizationId }), organizationId }
}

test('administrators see a lock with its number of attempts; single failures leave no entry', async () => {
  const { admin, organizationId } = await office()
  const member = await join(server, 'user', { organizationId })
  const before = await count()
  await guess(member.user.username, limits.failedSignIns - 1)
  expect(await count()).toBe(before)
  await guess(member.user.username, 1)
  expect(await entries(admin)).toMatchObject([
    {
      action: 'account_locked',
      targetUserEmail: member.user.email,
      actor: { kind: 'server' },
      target: { kind: 'member', id: member.user.id },
      details: { failedAttempts: limits.failedSignIns },
    },
  ])
  expect((await entries(admin))[0]?.address).toBeUndefined()
  const { admin: foreign } = await office()
  expect(await entries(foreign)).toEqual([])
})

test('repeated locks of an account write one entry an hour, which counts the rest', async () => {
  const { admin, organizationId } = await office()
  const member = await join(server, 'user', { organizationId })
  const lock = async () => {
    await guess(member.user.username, limits.failedSignIns)
    await server.advance(limits.lockTime)
  }
  const hour = 60 * 60 * 1000
  for (let spent = 0; spent < hour; spent += limits.lockTime) await lock()
  expect(await entries(admin)).toHaveLength(1)
  await lock()
  const [newest, first, ...others] = await entries(admin)
  expect(others).toEqual([])
  expect(first?.details).toEqual({ failedAttempts: 5 })
  // The attempts of three locks without an entry, and of this one.
  expect(newest?.details).toEqual({ failedAttempts: 20 })
})

test('locking names that nobody has writes nothing', async () => {
  const before = await count()
  await guess('nobody.has.this', limits.failedSignIns)
  const locked = await server.visitor().refused(session.login, { body: { username: 'nobody.has.this', password: 'x' } })
  expect(locked.body.code).toBe('ACCOUNT_LOCKED')
  expect(await count()).toBe(before)
})
