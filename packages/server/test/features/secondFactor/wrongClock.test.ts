import { limits } from '@privity/contract/limits'
import { secondFactor } from '@privity/contract/secondFactor'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { addPasskey, codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'
import { atLocalhost, createSoftPasskey, originOf } from '../../support/scenes/passkey.ts'

const day = 24 * 60 * 60 * 1000

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterEach(() => (server.clock.ahead = 0))
afterAll(() => server.close())

test('a sign-in from while the clock was ahead does not wait for its second factor for days', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  server.clock.ahead = 30 * day
  const { ticket } = await enterPassword(browser, member)
  server.clock.ahead = 0
  server.clock.advance(limits.secondFactorTime)
  const refused = await browser.refused(secondFactor.signIn, { body: { ticket, code: app.code() } })
  expect(refused.body.code).toBe('TICKET_INVALID')
})

test('an app whose setup began while the clock was ahead is not switched on hours later', async () => {
  const member = await server.signUp()
  server.clock.ahead = day / 2
  const { secret } = await member.call(secondFactor.startTotp, { body: { password: member.password } })
  server.clock.ahead = 0
  server.clock.advance(limits.totpSetupTime)
  const refused = await member.refused(secondFactor.confirmTotp, { body: { code: codeFrom(server, secret) } })
  expect(refused.body.code).toBe('SETUP_EXPIRED')
})

test('a passkey whose setup began while the clock was ahead is not added hours later', async () => {
  const member = await server.signUp()
  await addPasskey(server, member)
  const other = await server.signUp()
  server.clock.ahead = day / 2
  const browser = atLocalhost(server, other)
  const options = await browser.call(secondFactor.startPasskey, { body: { password: other.password } })
  server.clock.ahead = 0
  server.clock.advance(limits.passkeyTime)
  const credential = createSoftPasskey().create(options, originOf(server))
  const refused = await browser.refused(secondFactor.addPasskey, { body: { name: 'late', credential } })
  expect(refused.body.code).toBe('SETUP_EXPIRED')
})
