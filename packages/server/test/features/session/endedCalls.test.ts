import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { invitations } from '@privity/contract/organization'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdNext } from '../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { join } from '../../support/scenes/organization.ts'
import { atLocalhost, createSoftPasskey, originOf } from '../../support/scenes/passkey.ts'
import { codeFrom } from '../../support/scenes/secondFactor.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const newPassword = 'an entirely new password'
const changePassword = (member: Member) =>
  member.call(account.changePassword, {
    body: {
      currentPassword: member.password,
      newPassword,
      wrappedAccountKey: wrapped(),
      identityKey: member.keys?.identityKey ?? '',
    },
  })

/** A thief of the cookie: the same session, with the token of now. */
function thiefOf({ cookies }: Member) {
  const thief = server.visitor()
  for (const [name, value] of cookies) thief.cookies.set(name, value)
  return thief
}

/** A thief of the password, with a session of their own. */
async function signedIn({ user, password }: Member) {
  const thief = server.visitor()
  await thief.call(session.login, { body: { username: user.username, password } })
  return thief
}

test('a new password ends the setup of an app by who has the former cookie', async () => {
  const member = await server.signUp()
  const thief = thiefOf(member)
  const { secret } = await thief.call(secondFactor.startTotp, { body: { password: member.password } })
  await changePassword(member)
  const { status } = await thief.request('POST', secondFactor.confirmTotp.path, { code: codeFrom(server, secret) })
  expect(status).toBe(409)
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('a new password ends the setup of a passkey by who has the former cookie', async () => {
  const member = await server.signUp()
  const thief = atLocalhost(server, thiefOf(member) as Member)
  const passkey = createSoftPasskey()
  const options = await thief.call(secondFactor.startPasskey, { body: { password: member.password } })
  await changePassword(member)
  const credential = passkey.create(options, originOf(server))
  const { status } = await thief.request('POST', secondFactor.addPasskey.path, { name: 'mine', credential })
  expect(status).toBe(409)
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('an app is not switched on by a call whose session ended while it was under way', async () => {
  const member = await server.signUp()
  const thief = await signedIn(member)
  const { secret } = await thief.call(secondFactor.startTotp, { body: { password: member.password } })
  const held = holdNext(server.core.db, 'write')
  const asked = thief.request('POST', secondFactor.confirmTotp.path, { code: codeFrom(server, secret) })
  await held.during(() => changePassword(member))
  expect((await asked).status).toBe(401)
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('a passkey is not added by a call whose session ended while it was under way', async () => {
  const member = await server.signUp()
  const thief = atLocalhost(server, await signedIn(member))
  const passkey = createSoftPasskey()
  const options = await thief.call(secondFactor.startPasskey, { body: { password: member.password } })
  const body = { name: 'mine', credential: passkey.create(options, originOf(server)) }
  const useOfChallenge = holdNext(server.core.db, 'write')
  const asked = thief.request('POST', secondFactor.addPasskey.path, body)
  await useOfChallenge.during(async () => {
    const held = holdNext(server.core.db, 'write')
    void held.during(() => changePassword(member))
  })
  expect((await asked).status).toBe(401)
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('an invitation is not made by a call whose session ended while it was under way', async () => {
  const chief = await join(server, 'super_admin')
  const thief = await signedIn(chief)
  const held = holdNext(server.core.db, 'write')
  const asked = thief.request('POST', invitations.create.path, { role: 'user', validFor: limits.minInvitation })
  await held.during(() => changePassword(chief))
  expect((await asked).status).toBe(401)
})
