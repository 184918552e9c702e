import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readVerifier, writeVerifier } from '../../../../src/features/founder/session/verifier.ts'
import { codeNow, founderLogin, setUpFounderApp, signInAnew, signInFounder } from '../../../support/founder/founder.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { holdNext } from '../../../support/server/gate.ts'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'

let server: TestServer
let founder: Caller
let thief: Caller
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  founder = await signInAnew(server)
  thief = await signInFounder(server)
})

const secretOf = async () => (await founderLogin(server, founder)).body.password

/** Ends all sessions but the founder's own. */
async function endOthers() {
  const sessions = await founder.call(founderSessions.listSessions, {})
  for (const { id } of sessions.filter(({ current }) => !current))
    await founder.call(founderSessions.endSession, { params: { id } })
}

/** Replaces the stored hash, as a change of the password does, and leaves sessions and tickets as they are. */
const replaceVerifier = async (secret?: string) => {
  const hash = await server.core.passwords.hash(secret ?? (await secretOf()))
  await server.core.db.write(async (tx) => writeVerifier(tx, { ...(await readVerifier(tx)), hash }))
}

test('an app is not confirmed by a call whose session ended while it was under way', async () => {
  const { secret, setup } = await thief.call(founderSecondFactor.start, { body: { password: await secretOf() } })
  const held = holdNext(server.core.db, 'write')
  const body = { setup, code: codeNow(server, secret) }
  const asked = thief.request('POST', founderSecondFactor.confirm.path, body)
  await held.during(endOthers)
  expect((await asked).status).toBe(401)
  expect((await founder.call(founderSecondFactor.state, {})).since).toBeNull()
})

test('the password confirms nothing for a call whose session ended while it was under way', async () => {
  const body = { password: await secretOf() }
  const held = holdNext(server.core.passwords, 'verify')
  const asked = thief.request('POST', founderSecondFactor.start.path, body)
  await held.during(endOthers)
  expect(await asked).toMatchObject({ status: 401, body: { code: 'NOT_FOUNDER' } })
})

test('a password that was replaced while it was checked confirms nothing, and was no guess', async () => {
  const body = { password: await secretOf() }
  const held = holdNext(server.core.passwords, 'verify')
  const asked = founder.request('POST', founderSecondFactor.start.path, body)
  await held.during(() => replaceVerifier('another secret'))
  expect((await asked).body).toMatchObject({ code: 'WRONG_PASSWORD' })
  await replaceVerifier()
  const failures = "select 1 from security_events where event_type = 'failed_founder_password_check'"
  expect(await server.core.db.read.all(failures)).toEqual([])
})

test('a password that was replaced while it was checked signs nobody in', async () => {
  const { body } = await founderLogin(server, founder)
  const held = holdNext(server.core.passwords, 'verify')
  const asked = server.visitor().request('POST', founderSessions.login.path, body)
  await held.during(() => replaceVerifier('another secret'))
  expect(await asked).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
  await replaceVerifier()
})

test('a new password ends the setup of an app', async () => {
  const { secret, setup } = await founder.call(founderSecondFactor.start, { body: { password: await secretOf() } })
  await replaceVerifier()
  const refused = await founder.refused(founderSecondFactor.confirm, { body: { setup, code: codeNow(server, secret) } })
  expect(refused.body.code).toBe('SETUP_EXPIRED')
})

async function ticketFor(browser: Caller): Promise<string> {
  const { body } = await browser.refused(founderSessions.login, await founderLogin(server, browser))
  return (body.details as { ticket: string }).ticket
}

const finish = (browser: Caller, ticket: string, recoveryCode = '') =>
  browser.request('POST', '/api/founder/login/second-factor', { ticket, recoveryCode })

test('a sign-in that waits for its second factor ends with a new password', async () => {
  const { codes } = await setUpFounderApp(server, founder)
  const browser = server.visitor()
  const ticket = await ticketFor(browser)
  await replaceVerifier()
  expect((await finish(browser, ticket, codes[0])).body).toMatchObject({ code: 'TICKET_INVALID' })
})

test('a sign-in that waits for its second factor goes on in no other known browser', async () => {
  const { codes } = await setUpFounderApp(server, founder)
  const ticket = await ticketFor(server.visitor())
  expect((await finish(founder, ticket, codes[0])).body).toMatchObject({ code: 'TICKET_INVALID' })
})
