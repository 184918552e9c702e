import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'

const former = (password: string) => [{ password, passwordVersion: 1 }]

test('one of the passwords sent is checked: that of the version of the account', async () => {
  await using server = await createTestServer()
  const { user, password } = await server.signUp()
  const body = { username: user.username, password: 'as version 2 derives it', passwordVersion: 2 }
  const signedIn = await server.visitor().call(session.login, { body: { ...body, formerPasswords: former(password) } })
  expect(signedIn.id).toBe(user.id)
  const swapped = { ...body, password, formerPasswords: former('as version 1 derives it') }
  expect((await server.visitor().refused(session.login, { body: swapped })).body.code).toBe('WRONG_CREDENTIALS')
})

test('an account of an unknown version is refused exactly as a name that does not exist', async () => {
  await using server = await createTestServer()
  const { user } = await server.signUp()
  const given = { password: 'wrong', passwordVersion: 3, formerPasswords: former('wrong') }
  const refuse = async (username: string) =>
    (await server.visitor().refused(session.login, { body: { ...given, username } })).body
  const [known, unknown] = [await refuse(user.username), await refuse('nobody')]
  expect({ ...known, requestId: '' }).toEqual({ ...unknown, requestId: '' })
})

test('several passwords of one sign-in count as one failed attempt', async () => {
  await using server = await createTestServer()
  const { user, password } = await server.signUp()
  const wrong = Array.from({ length: 4 }, (_, index) => ({ password: 'wrong', passwordVersion: index + 1 }))
  const body = { username: user.username, password: 'wrong', passwordVersion: 5, formerPasswords: wrong }
  for (let tries = 0; tries < 4; tries++) await server.visitor().refused(session.login, { body })
  await server.visitor().call(session.login, { body: { username: user.username, password } })
})
