import { account } from '@privity/contract/account'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { userAdministration } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { codeNow, founderLogin, signInFounder } from '../../support/founder/founder.ts'
import { holdBody } from '../../support/scenes/heldCall.ts'
import { join } from '../../support/scenes/organization.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Another browser of this member. */
async function signInAgain({ user, password }: Member) {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: user.username, password } })
  await browser.call(session.getUser, {})
  return browser
}

const renamed = ({ user }: Member) => ({ firstName: 'Another', lastName: user.lastName, email: user.email })

test('a call whose session ended while its body arrived is refused', async () => {
  const member = await server.signUp()
  const finish = await holdBody(server, await signInAgain(member), account.updateProfile, renamed(member))
  await member.call(session.endOtherSessions, {})
  expect(await finish()).toBe(401)
  expect((await member.call(session.getUser, {})).firstName).toBe(member.user.firstName)
})

test('a call whose session goes on while its body arrives is served', async () => {
  const member = await server.signUp()
  const browser = await signInAgain(member)
  const finish = await holdBody(server, browser, account.updateProfile, renamed(member))
  await browser.call(session.endOtherSessions, {})
  expect(await finish()).toBe(200)
})

test('the second look at a session after the body reads nothing from the database', async () => {
  const member = await server.signUp()
  await member.call(session.getUser, {})
  const finish = await holdBody(server, member, session.login, { username: 'x', password: 'y' })
  const found = vi.spyOn(server.core.sessions, 'find')
  await finish()
  expect(found.mock.results.map(({ value }) => value instanceof Promise)).toEqual([false])
  found.mockRestore()
})

test('a call without a body looks for its session once', async () => {
  const member = await server.signUp()
  const found = vi.spyOn(server.core.sessions, 'find')
  await member.call(session.endOtherSessions, {})
  expect(found).toHaveBeenCalledTimes(1)
  found.mockRestore()
})

test('a call counts once against its limit, also with a body', async () => {
  const member = await server.signUp()
  const counted = vi.spyOn(server.core.rates, 'take')
  await member.call(account.updateProfile, { body: renamed(member) })
  const limits = counted.mock.calls.map(([limit]) => limit)
  expect(limits).toEqual([...new Set(limits)])
  counted.mockRestore()
})

test('a call of an administrator who lost the role while its body arrived is refused', async () => {
  const [chief, other] = [await join(server, 'super_admin'), await join(server, 'user')]
  const endpoint = { ...userAdministration.setStatus, path: `/api/users/${other.user.id}/status` }
  const finish = await holdBody(server, chief, endpoint, { isActive: false })
  await server.core.db.write((tx) => tx.run("update users set role = 'user' where id = ?", [chief.user.id]))
  expect(await finish()).toBe(403)
})

test('a call that lacks a second factor required while its body arrived is refused', async () => {
  const member = await server.signUp()
  const finish = await holdBody(server, member, account.updateProfile, renamed(member))
  await setPolicy(server, { twoFactor: true })
  expect(await finish()).toBe(403)
  await setPolicy(server, {})
})

test("a founder's call whose session ended while its body arrived is refused", async () => {
  const [founder, thief] = [await signInFounder(server), await signInFounder(server)]
  const { password } = (await founderLogin(server, thief)).body
  const { secret, setup } = await thief.call(founderSecondFactor.start, { body: { password } })
  const finish = await holdBody(server, thief, founderSecondFactor.confirm, { setup, code: codeNow(server, secret) })
  const ended = (await founder.call(founderSessions.listSessions, {})).filter(({ current }) => !current)
  for (const { id } of ended) await founder.call(founderSessions.endSession, { params: { id } })
  expect(await finish()).toBe(401)
})
