import { account } from '@privity/contract/account'
import { AppError } from '@privity/contract/errors'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { founderLogin, signInFounder } from '../../support/founder/founder.ts'

/** The calls that verify a password. Each entry resolves with a function that calls with the right password. */
const asking: Record<string, (server: TestServer) => Promise<() => Promise<unknown>>> = {
  async 'a sign-in'(server) {
    const { user, password } = await server.signUp()
    const stranger = server.visitor()
    return () => stranger.call(session.login, { body: { username: user.username, password } })
  },
  async 'a call that asks for it again'(server) {
    const member = await server.signUp()
    return () => member.call(account.provePassword, { body: { password: member.password } })
  },
  async 'the founder’s sign-in'(server) {
    const stranger = server.visitor()
    const login = await founderLogin(server, stranger)
    return () => stranger.call(founderSessions.login, login)
  },
  async 'the founder’s confirmation'(server) {
    const founder = await signInFounder(server)
    const { password } = (await founderLogin(server, founder)).body
    return () => founder.call(founderSecondFactor.confirmSession, { body: { password } })
  },
}

test.each(Object.keys(asking))('%s that could not be checked is not held against who makes it', async (name) => {
  await using server = await createTestServer()
  const ask = await asking[name]?.(server)
  const { passwords } = server.core
  const { verify } = passwords
  passwords.verify = () => Promise.reject(new AppError('UNAVAILABLE', { retryAfter: 5 }))
  for (let time = 0; time <= limits.failedSignIns; time++) await expect(ask?.()).rejects.toThrow(/answered 503/)
  passwords.verify = verify
  expect(await ask?.()).toBeDefined()
})
