import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { organization, userAdministration } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { join } from '../../support/scenes/organization.ts'

let server: TestServer
let admin: Member
let anna: Member
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many } } })
  admin = await join(server, 'org_admin')
  anna = await server.signUp('anna')
})
afterEach(() => server.close())

const signIn = async (password: string) =>
  (await server.visitor().request('POST', '/api/login', { username: 'anna', password })).status

async function lock(): Promise<number> {
  for (let i = 0; i < limits.failedSignIns; i++) await signIn('wrong')
  return server.clock.now() + limits.lockTime
}

const lockedUntil = async () =>
  (await admin.call(organization.users, { query: { search: 'anna' } })).users[0]?.lockedUntil

const params = () => ({ params: { id: anna.user.id } })

test('a locked member shows as locked to administrators until the lock ends', async () => {
  expect(await lockedUntil()).toBeUndefined()
  const until = await lock()
  expect(await lockedUntil()).toBe(until)
  server.clock.advance(limits.lockTime)
  expect(await lockedUntil()).toBeUndefined()
})

test('a lock dated by a clock that was ahead locks nobody and is shown to nobody', async () => {
  server.clock.ahead = 60 * 24 * 60 * 60_000
  await lock()
  server.clock.ahead = 0
  const founder = await signInFounder(server)
  expect(await lockedUntil()).toBeUndefined()
  expect(await founder.call(lockedAccounts.list, {})).toMatchObject({ count: 0, lockedAccounts: [] })
})

test('administrators who are signed in learn of a lock when it happens', async () => {
  const socket = await admin.socket()
  await lock()
  await vi.waitFor(() => expect(socket.frames.map(({ type }) => type)).toContain('organization_changed'))
})

test('an administrator unlocks a member, who signs in at once; the log says who did it', async () => {
  const until = await lock()
  expect(await signIn(anna.password)).toBe(423)
  expect((await admin.call(userAdministration.unlock, params())).lockedUntil).toBeUndefined()
  expect(await signIn(anna.password)).toBe(200)
  const [entry] = await selectAudit(server.core.db.read, "action = 'account_unlocked'")
  expect(entry).toMatchObject({ actor_id: admin.user.id, target_id: anna.user.id })
  expect(JSON.parse(entry?.details ?? '')).toMatchObject({ before: until, after: null })
})

test('unlocking a member who is not locked leaves no entry', async () => {
  await admin.call(userAdministration.unlock, params())
  expect(await selectAudit(server.core.db.read, "action = 'account_unlocked'")).toEqual([])
})

test('unlocking takes a confirmation, so that a stolen session does not start the count anew', async () => {
  await lock()
  server.clock.advance(limits.confirmationTime)
  await lock()
  expect((await admin.refused(userAdministration.unlock, params())).body.code).toBe('CONFIRMATION_NEEDED')
  expect(await signIn(anna.password)).toBe(423)
})

test('nobody unlocks their own account, a Super Admin above them, or as a plain member', async () => {
  const above = await join(server, 'super_admin')
  const own = await admin.refused(userAdministration.unlock, { params: { id: admin.user.id } })
  const higher = await admin.refused(userAdministration.unlock, { params: { id: above.user.id } })
  const member = await anna.refused(userAdministration.unlock, { params: { id: admin.user.id } })
  expect([own, higher, member].map(({ body }) => body.code)).toEqual(['OWN_ACCOUNT', 'ABOVE_RANK', 'FORBIDDEN'])
})
