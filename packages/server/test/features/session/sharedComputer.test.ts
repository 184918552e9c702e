import { confirmation } from '@privity/contract/confirmation'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import { join } from '../../support/scenes/organization.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'
import type { Caller } from '../../support/server/caller.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
let member: Member
let browser: Caller
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  member = await server.signUp()
  browser = server.visitor()
})

const signIn = (sharedComputer = true) => {
  const { username } = member.user
  return browser.request('POST', '/api/login', { username, password: member.password, sharedComputer })
}
const cookieOf = ({ headers }: { headers: Headers }, name: string) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith(`privity_${name}=`))
/** Without the row for all browsers that keep no id. */
const devices = async () => {
  const sql = 'select 1 from known_devices where user_id = ? and device <> ?'
  return (await server.core.db.read.all(sql, [member.user.id, hashToken('unknown')])).length
}

test('the cookie of a session on a shared computer ends with the browser', async () => {
  expect(cookieOf(await signIn(), 'session')).not.toContain('Max-Age')
  expect(await browser.call(session.getUser, {})).toMatchObject({ session: { sharedComputer: true } })
})

test('any other session outlives the browser', async () => {
  expect(cookieOf(await signIn(false), 'session')).toContain('Max-Age=34560000')
  expect((await browser.call(session.getUser, {})).session).not.toHaveProperty('sharedComputer')
})

test('a shared computer is not remembered as known and keeps no device cookie', async () => {
  const before = await devices()
  expect(cookieOf(await signIn(), 'device')).toContain('Max-Age=0')
  expect(await devices()).toBe(before)
})

test('a token renewed on a shared computer ends with the browser too', async () => {
  member = await join(server, 'super_admin')
  await signIn()
  const body = { password: member.password }
  const confirmed = await browser.request(confirmation.confirm.method, confirmation.confirm.path, body)
  expect(cookieOf(confirmed, 'session')).not.toContain('Max-Age')
})

test('before the second factor a shared computer keeps the device cookie until it is closed', async () => {
  await enableTotp(server, member)
  const asked = await signIn()
  expect(asked).toMatchObject({ body: { code: 'SECOND_FACTOR_REQUIRED' } })
  expect(cookieOf(asked, 'device')).not.toContain('Max-Age')
})

test('a sign-in in the place of one on a shared computer is on a shared computer', async () => {
  await signIn()
  expect(cookieOf(await signIn(false), 'session')).not.toContain('Max-Age')
})

test('a new password set with the recovery key on a shared computer begins a session of one', async () => {
  const body = {
    username: member.user.username,
    recoveryProof: member.keys?.recoveryProof as string,
    password: 'a new one',
    wrappedAccountKey: wrapped(),
    sharedComputer: true,
  }
  const recovered = await browser.request('POST', '/api/recovery/password', body)
  expect(recovered.body).toMatchObject({ session: { sharedComputer: true } })
  expect(cookieOf(recovered, 'session')).not.toContain('Max-Age')
  expect(cookieOf(recovered, 'device')).toContain('Max-Age=0')
})
