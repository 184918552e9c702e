import { account } from '@privity/contract/account'
import { notifications } from '@privity/contract/notifications'
import { privacy } from '@privity/contract/privacy'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Fails a sign-in with a wrong password; resolves with its time. */
async function fail({ user }: Member): Promise<number> {
  await server.advance(1_000)
  await server.visitor().refused(session.login, { body: { username: user.username, password: 'a guess' } })
  return server.clock.now()
}

const facts = async (member: Member) => (await member.call(privacy.securityFacts, {})).failedSignIns
const settle = async (member: Member, until: number) =>
  (await member.call(privacy.settleFailures, { body: { until } })).failedSignIns

const entries = ({ user }: Member) =>
  server.core.db.read.all<{ actor_id: string; details: string }>(
    "select actor_id, details from audit_log where action = 'failed_sign_ins_settled' and actor_id = ? order by seq",
    [user.id],
  )

test('failures that were one’s own are settled, for every browser, and new ones count anew', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  await fail(member)
  const lastAt = await fail(member)
  await fail(other)
  expect(await facts(member)).toMatchObject({ count: 2, lastAt })
  expect(await settle(member, lastAt)).toEqual({ count: 0, settledAt: lastAt })
  const browser = server.visitor()
  const { username } = member.user
  await browser.call(session.login, { body: { username, password: member.password } })
  expect((await browser.call(privacy.securityFacts, {})).failedSignIns).toEqual({ count: 0, settledAt: lastAt })
  expect((await facts(other)).count).toBe(1)
  expect((await entries(member)).map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { settled: 2, left: 0 },
  ])

  const again = await fail(member)
  expect(await facts(member)).toMatchObject({ count: 1, lastAt: again, settledAt: lastAt })
})

test('only the failures shown are settled, and nothing is settled ahead or back', async () => {
  const member = await server.signUp()
  const [shown, unseen] = [await fail(member), await fail(member)]
  expect(await settle(member, shown)).toMatchObject({ count: 1, lastAt: unseen })
  expect(await settle(member, shown)).toMatchObject({ count: 1 })
  expect(await entries(member)).toHaveLength(1)
  await settle(member, server.clock.now() + 1_000_000)
  const later = await fail(member)
  expect(await facts(member)).toMatchObject({ count: 1, lastAt: later })
  await settle(member, 0)
  expect(await facts(member)).toMatchObject({ count: 1, lastAt: later })
})

test('a new password settles them, by change and by recovery key; a refused one does not', async () => {
  const member = await server.signUp()
  await fail(member)
  const identityKey = member.keys?.identityKey
  const change = { currentPassword: 'wrong', newPassword: 'new', wrappedAccountKey: wrapped(), identityKey }
  await member.refused(account.changePassword, { body: change })
  expect((await facts(member)).count).toBe(2)
  await member.call(account.changePassword, { body: { ...change, currentPassword: member.password } })
  expect(await facts(member)).toEqual({ count: 0, settledAt: server.clock.now() })

  await fail(member)
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  await member.call(recovery.finish, { body: { ...proof, password: 'newer', wrappedAccountKey: wrapped() } })
  expect((await facts(member)).count).toBe(0)
})

async function failuresTold({ user: { username } }: Member, password: string): Promise<number | undefined> {
  await server.advance(1_000)
  const browser = server.visitor()
  await browser.call(session.login, { body: { username, password } })
  const { notifications: told } = await browser.call(notifications.list, { query: {} })
  return told.flatMap((each) => (each.kind === 'signed_in' && each.current ? [each.failures] : []))[0]
}

test('failures that a session has settled without the password are told at the next sign-in', async () => {
  const member = await server.signUp()
  await settle(member, await fail(member))
  expect(await failuresTold(member, member.password)).toBe(1)
  expect(await failuresTold(member, member.password)).toBe(0)
})

test('failures before a change of the password are not told at the next sign-in', async () => {
  const member = await server.signUp()
  await fail(member)
  await server.advance(1_000)
  const identityKey = member.keys?.identityKey
  const change = { newPassword: 'new', wrappedAccountKey: wrapped(), identityKey }
  await member.call(account.changePassword, { body: { ...change, currentPassword: member.password } })
  expect(await failuresTold(member, 'new')).toBe(0)
})

test('bad input settles nothing', async () => {
  const member = await server.signUp()
  await fail(member)
  for (const body of [{}, { until: -1 }, { until: 1.5 }, { until: 'now' }, { until: null }, [], { until: 1e300 }]) {
    const answer = await member.request('POST', privacy.settleFailures.path, body)
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  }
  expect((await facts(member)).count).toBe(1)
})
