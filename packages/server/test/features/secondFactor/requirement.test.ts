import { closeCodes } from '@privity/contract/events'
import type { Endpoint } from '@privity/contract/endpoint'
import { errors } from '@privity/contract/errors'
import { keys } from '@privity/contract/keys'
import { organizationPolicy } from '@privity/contract/organization'
import { preferenceCalls } from '@privity/contract/preferences'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { join } from '../../support/scenes/organization.ts'
import { originOf } from '../../support/scenes/passkey.ts'
import { addPasskey, codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'
import { openSocket } from '../../support/server/testSocket.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { createTalk, registerFile, upload } from '../../support/scenes/conversation.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many, signIn: many } } })
})
afterAll(() => server.close())
afterEach(() => setPolicy(server, {}))

const require = () => setPolicy(server, { twoFactor: true })
const missing = { status: 403, body: { code: 'SECOND_FACTOR_MISSING', error: errors.SECOND_FACTOR_MISSING.message } }
const id = '01890000-0000-7000-8000-000000000000'
const addressOf = ({ path }: Endpoint) => path.replace(/:\w+|\*/g, id)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The same person with the password, in a new browser. */
async function elsewhere({ user, password }: Member) {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: user.username, password } })
  return browser
}

test('without a second factor a member can sign in, but only call what sets one up', async () => {
  const member = await server.signUp()
  await require()
  const browser = await elsewhere(member)
  const members = server.core.endpoints.filter(({ guard }) => guard === 'member' || guard === 'administrator')
  const open = members.filter(({ beforeFactor }) => beforeFactor)
  expect(open.map(nameOf).toSorted()).toEqual([
    'GET /api/preferences',
    'GET /api/second-factor',
    'GET /api/user',
    'POST /api/second-factor/passkeys',
    'POST /api/second-factor/passkeys/options',
    'POST /api/second-factor/totp',
    'POST /api/second-factor/totp/confirmation',
    'PUT /api/account/recovery-key/saved',
  ])
  const before = await server.core.db.read.get('select count(*) as entries from audit_log')
  for (const endpoint of members.filter(({ beforeFactor }) => !beforeFactor)) {
    for (const body of [undefined, '{}', '{"', '[]']) {
      const sent = endpoint.method === 'GET' ? undefined : body
      const answer = await browser.request(endpoint.method, addressOf(endpoint), sent)
      expect(answer, `${nameOf(endpoint)} with ${body}`).toMatchObject(missing)
    }
  }
  expect(await server.core.db.read.get('select count(*) as entries from audit_log')).toEqual(before)

  expect(await browser.call(session.getUser, {})).toMatchObject(member.user)
  expect((await browser.call(preferenceCalls.get, {})).policy.twoFactor).toBe(true)
  expect((await browser.call(secondFactor.state, {})).on).toBe(false)
  for (const path of ['/api/config', '/api/health']) expect((await browser.request('GET', path)).status).toBe(200)
  await browser.call(session.logout, {})
  expect((await browser.refused(session.getUser, {})).status).toBe(401)
})

test('neither uploads nor downloads, which are no calls of a contract, go round it', async () => {
  const { anna, ben, sendFile } = await createTalk(server)
  const file = await sendFile(anna)
  const address = (await anna.request('POST', '/api/objects/upload')).body as { uploadURL: string }
  await require()
  const put = await anna.fetch(address.uploadURL, { method: 'PUT', body: 'bytes' })
  expect([put.status, await put.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
  for (const member of [anna, ben]) {
    const got = await member.fetch(file.filePath)
    expect([got.status, await got.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
  }
  await setPolicy(server, {})
  await upload(anna, Buffer.from('after it'))
  expect((await registerFile(anna, Buffer.from('after it'))).filePath).toBeTruthy()
})

test('an authenticator app opens everything at once, in every browser of the member', async () => {
  const member = await server.signUp()
  await require()
  const browser = await elsewhere(member)
  expect(await browser.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  const { secret } = await browser.call(secondFactor.startTotp, { body: { password: member.password } })
  expect(await browser.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  const { recoveryCodes } = await browser.call(secondFactor.confirmTotp, { body: { code: codeFrom(server, secret) } })
  expect(recoveryCodes).toHaveLength(10)
  for (const each of [browser, member])
    expect((await each.call(keys.getOwn, { query: {} })).userId).toBe(member.user.id)
  ;(await member.socket()).close()
  expect((await enterPassword(server.visitor(), member)).methods).toEqual(['totp', 'recoveryCode'])
})

test('a passkey does too; those who have a second factor notice nothing', async () => {
  const [withApp, member] = [await server.signUp(), await server.signUp()]
  await enableTotp(server, withApp)
  await require()
  expect((await withApp.call(keys.getOwn, { query: {} })).userId).toBe(withApp.user.id)
  ;(await withApp.socket()).close()
  const { browser } = await addPasskey(server, member)
  expect((await browser.call(keys.getOwn, { query: {} })).userId).toBe(member.user.id)
})

test('a sign-up or a recovery where a second factor is required goes no further without one', async () => {
  await require()
  const member = await server.signUp()
  expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  const browser = server.visitor()
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const body = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  expect(await browser.call(recovery.finish, { body })).toMatchObject(member.user)
  expect(await browser.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
})

test('no socket opens, and those that are open end with the first refused call', async () => {
  const { anna, ben, connection, text } = await createTalk(server)
  const socket = await anna.socket()
  await require()
  await expect(openSocket(server.url, anna)).rejects.toThrow('refused with 403')
  await anna.refused(keys.getOwn, { query: {} })
  expect(await socket.closed).toBe(closeCodes.factorMissing)
  expect(server.core.sockets.isOnline(anna.user.id)).toBe(false)
  expect(await ben.request('POST', '/api/messages', text(ben))).toMatchObject(missing)
  expect(connection.lastSeq).toBe(0)
})

test('a policy that is switched on for somebody at work takes effect at once', async () => {
  const [member, ready] = [await server.signUp(), await server.signUp()]
  const administrator = await join(server, 'super_admin')
  await enableTotp(server, ready)
  const [socket, other] = [await member.socket(), await ready.socket()]
  await administrator.call(organizationPolicy.update, { body: { twoFactor: true } })
  expect(await socket.closed).toBe(closeCodes.factorMissing)
  await other.next('preferences_changed')
  await other.settled()
  expect(other.raw.readyState).toBe(other.raw.OPEN)
  expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
  expect((await ready.call(keys.getOwn, { query: {} })).userId).toBe(ready.user.id)
  // The administrator who sets the policy must comply as well.
  expect(await administrator.refused(organizationPolicy.get, {})).toMatchObject(missing)
})

test('the last factor cannot be removed in any way under the policy; others can', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { browser, passkey, id: passkeyId } = await addPasskey(server, member, { code: app.code() })
  await require()
  const { password } = member
  const kept = { status: 409, body: { code: 'SECOND_FACTOR_KEPT' } }
  const codes = [...app.recoveryCodes]
  const confirm = () => ({ password, recoveryCode: codes[0] as string })
  expect(await browser.refused(secondFactor.remove, { body: { what: 'everything', ...confirm() } })).toMatchObject(kept)
  await browser.call(secondFactor.remove, { body: { what: 'totp', ...confirm() } })
  codes.shift()
  const params = { id: passkeyId }
  expect(await browser.refused(secondFactor.removePasskey, { params, body: confirm() })).toMatchObject(kept)
  const assertion = passkey.sign(await browser.call(secondFactor.requestPasskey, {}), originOf(server))
  const signed = { params, body: { password, assertion } }
  expect(await browser.refused(secondFactor.removePasskey, signed)).toMatchObject(kept)
  expect((await browser.call(secondFactor.state, {})).passkeys).toHaveLength(1)
  await setPolicy(server, {})
  const { state } = await browser.call(secondFactor.removePasskey, { params, body: confirm() })
  expect(state.on).toBe(false)
})

test('of another organization nobody is asked', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  await server.core.db.write(async (tx) => {
    await tx.run("insert into organizations (id, name, type, created_at) values (?, 'Strict', 'Law', ?)", [
      id,
      server.clock.now(),
    ])
    await tx.run('update organizations set policy = ? where id = ?', [JSON.stringify({ twoFactor: true }), id])
    await tx.run('update users set organization_id = ? where id = ?', [id, other.user.id])
  })
  expect((await member.call(keys.getOwn, { query: {} })).userId).toBe(member.user.id)
  expect(await other.refused(keys.getOwn, { query: {} })).toMatchObject(missing)
})
