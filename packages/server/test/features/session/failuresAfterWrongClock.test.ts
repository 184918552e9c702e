import { founderOrganizations } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { invitations } from '@privity/contract/organization'
import { privacy } from '@privity/contract/privacy'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { signInFounder } from '../../support/founder/founder.ts'
import { join } from '../../support/scenes/organization.ts'
import { createTestServer } from '../../support/server/testServer.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

test('failed sign-ins are told although the last sign-in was dated by a clock that was ahead', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { username } = member.user
  const signIn = (from = member) => from.call(session.login, { body: { username, password: member.password } })
  server.clock.ahead = 20 * day
  await signIn()
  const { failedSignIns } = await member.call(privacy.securityFacts, {})
  await member.call(privacy.settleFailures, { body: { until: server.clock.now() } })
  expect(failedSignIns.count).toBe(0)
  server.clock.ahead = 0
  server.clock.advance(1000)
  for (let at = 0; at < 3; at++)
    await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
  server.clock.advance(1000)
  await signIn()
  const { notifications: told } = await member.call(notifications.list, { query: {} })
  expect(told.find((each) => each.kind === 'signed_in' && each.current)).toMatchObject({ failures: 3 })
  expect((await member.call(privacy.securityFacts, {})).failedSignIns.count).toBe(3)
})

test('failed sign-ins dated by a clock that was ahead are told once it is right, and once', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { username } = member.user
  server.clock.ahead = 30 * day
  for (const _ of [1, 2, 3]) await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
  server.clock.ahead = 0
  for (const _ of [1, 2]) {
    await server.advance(day)
    await member.call(session.login, { body: { username, password: member.password } })
  }
  const { notifications: told } = await member.call(notifications.list, { query: {} })
  expect(told.flatMap((each) => (each.kind === 'signed_in' ? [each.failures] : []))).toEqual([0, 3])
})

test('a lock dated by a clock that was ahead keeps no later one from being logged or alerted', async () => {
  await using server = await createTestServer()
  const { username } = (await server.signUp()).user
  const lock = async () => {
    for (let left = limits.failedSignIns; left > 0; left--)
      await server.visitor().request('POST', '/api/login', { username, password: 'wrong' })
  }
  server.clock.ahead = 60 * day
  await lock()
  server.clock.ahead = 0
  for (const _ of [1, 2]) {
    await server.advance(2 * day)
    await lock()
  }
  const { read } = server.core.db
  expect(await read.all("select action from audit_log where action = 'account_locked'")).toHaveLength(3)
  expect(await read.all("select id from alerts where type = 'account_locked'")).toHaveLength(3)
})

test('a password given while the clock was ahead confirms nothing once that time comes', async () => {
  await using server = await createTestServer()
  const [chief, founder] = [await join(server, 'super_admin'), server.visitor()]
  server.clock.ahead = 2 * hour
  await chief.call(session.login, { body: { username: chief.user.username, password: chief.password } })
  const { cookies } = await signInFounder(server)
  for (const [name, value] of cookies) founder.cookies.set(name, value)
  server.clock.ahead = 0
  await server.advance(60_000)
  await server.advance(2 * hour)
  const body = { role: 'super_admin', validFor: limits.minInvitation } as const
  expect((await chief.refused(invitations.create, { body })).body.code).toBe('CONFIRMATION_NEEDED')
  const made = founder.refused(founderOrganizations.create, { body: { name: 'A firm', type: 'Legal' } })
  expect((await made).body.code).toBe('CONFIRMATION_NEEDED')
})
