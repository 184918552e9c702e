import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { reportKeys } from '@privity/contract/founder/reportKeys'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import {
  codeNow,
  founderLogin,
  makeReportKey,
  setUpFounderApp,
  signInAnew,
  signInFounder,
} from '../../../support/founder/founder.ts'
import { readVerifier, writeVerifier } from '../../../../src/features/founder/session/verifier.ts'
import { deriveQuickly } from '../../../support/server/founderPassword.ts'

let server: TestServer
let founder: Caller
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  founder = await signInAnew(server)
})

const secretOf = async () => (await founderLogin(server, founder)).body.password

async function ticketFor(browser: Caller): Promise<string> {
  const { status, body } = await browser.refused(founderSessions.login, await founderLogin(server, browser))
  expect([status, body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  return (body.details as { ticket: string }).ticket
}

const finish = (browser: Caller, ticket: string, given: { code?: string; recoveryCode?: string }) =>
  browser.request('POST', '/api/founder/login/second-factor', { ticket, ...given })

describe('signing in with an authenticator app', () => {
  test('needs the password and a code; the password alone starts no session', async () => {
    const { secret } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    const ticket = await ticketFor(browser)
    expect(browser.cookies.has('privity_founder')).toBe(false)
    await browser.refused(founderSessions.verify, {})
    server.clock.advance(30_000)
    expect((await finish(browser, ticket, { code: codeNow(server, secret) })).status).toBe(200)
    await browser.call(founderSessions.verify, {})
  })

  test('takes each code once', async () => {
    const { secret } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    // The code that enabled the second factor is used up.
    const first = await finish(browser, await ticketFor(browser), { code: codeNow(server, secret) })
    expect(first).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_WRONG' } })
    server.clock.advance(30_000)
    const code = codeNow(server, secret)
    expect((await finish(browser, await ticketFor(browser), { code })).status).toBe(200)
    expect((await finish(browser, await ticketFor(browser), { code })).status).toBe(401)
  })

  test('codes used under a fast clock do not lock the founder out, and none works again', async () => {
    const { secret } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    const enter = async (code: string) => (await finish(browser, await ticketFor(browser), { code })).status
    const hour = 60 * 60_000
    server.clock.advance(hour)
    const ahead = codeNow(server, secret)
    expect(await enter(ahead)).toBe(200)
    server.clock.advance(30_000 - hour)
    const code = codeNow(server, secret)
    expect([await enter(code), await enter(code)]).toEqual([200, 401])
    server.clock.advance(hour - 30_000)
    expect([codeNow(server, secret), await enter(ahead)]).toEqual([ahead, 401])
  })

  test('takes each recovery code once, in any spelling, and keeps none of them readable', async () => {
    const { codes } = await setUpFounderApp(server, founder)
    expect(new Set(codes).size).toBe(limits.recoveryCodes)
    const kept = JSON.stringify(await server.core.db.read.all('select * from founder_recovery_codes'))
    for (const code of codes) expect(kept).not.toContain(code)
    const browser = server.visitor()
    const spelt = (codes[0] as string).toLowerCase().replace('-', ' ')
    expect((await finish(browser, await ticketFor(browser), { recoveryCode: spelt })).status).toBe(200)
    expect((await finish(browser, await ticketFor(browser), { recoveryCode: codes[0] as string })).status).toBe(401)
    const state = await founder.call(founderSecondFactor.state, {})
    expect(state.recoveryCodesLeft).toBe(limits.recoveryCodes - 1)
  })

  test('a ticket is good in its browser, for five minutes, and for one session', async () => {
    const { codes } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    const ticket = await ticketFor(browser)
    const elsewhere = await finish(server.visitor(), ticket, { recoveryCode: codes[0] as string })
    expect(elsewhere).toMatchObject({ status: 401, body: { code: 'TICKET_INVALID' } })
    expect((await finish(browser, ticket, { recoveryCode: codes[1] as string })).status).toBe(200)
    expect((await finish(browser, ticket, { recoveryCode: codes[2] as string })).status).toBe(401)
    const late = await ticketFor(browser)
    server.clock.advance(limits.secondFactorTime)
    expect((await finish(browser, late, { recoveryCode: codes[3] as string })).status).toBe(401)
  })

  test('a right code for a ticket that has ended is no failed attempt', async () => {
    const { codes } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    const ticket = await ticketFor(browser)
    // As when another sign-in has stored the hash of the same password under a higher cost.
    await server.core.db.write(async (tx) => {
      const hash = await server.core.passwords.hash(await secretOf())
      await writeVerifier(tx, { ...(await readVerifier(tx)), hash })
    })
    const answer = await finish(browser, ticket, { recoveryCode: codes[0] as string })
    expect(answer).toMatchObject({ status: 401, body: { code: 'TICKET_INVALID' } })
    expect(await server.core.db.read.all("select * from sign_in_locks where purpose = 'founder'")).toEqual([])
  })

  test('wrong codes lock like wrong passwords; a right password does not reset the count', async () => {
    const { codes } = await setUpFounderApp(server, founder)
    const browser = server.visitor()
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) {
      const ticket = await ticketFor(browser)
      statuses.push((await finish(browser, ticket, { recoveryCode: `wrong-${at}` })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    expect((await browser.refused(founderSessions.login, await founderLogin(server, browser))).status).toBe(423)
    server.clock.advance(limits.lockTime)
    const ticket = await ticketFor(browser)
    expect((await finish(browser, ticket, { recoveryCode: codes[0] as string })).status).toBe(200)
  })

  test('the secret is sealed at rest', async () => {
    const { secret } = await setUpFounderApp(server, founder)
    const row = await server.core.db.read.get<{ secret: string }>('select secret from founder_authenticator_app')
    const bytes = Buffer.from(server.core.secrets.decryptAtRest(row?.secret ?? ''), 'base64url')
    expect(bytes).toHaveLength(20)
    expect(row?.secret).not.toContain(secret)
    expect(row?.secret).not.toContain(bytes.toString('base64url'))
  })
})

describe('setting it up', () => {
  test('needs the password, and changes nothing before the first code', async () => {
    await founder.refused(founderSecondFactor.start, { body: { password: 'wrong' } })
    await founder.call(founderSecondFactor.start, { body: { password: await secretOf() } })
    expect(await founder.call(founderSecondFactor.state, {})).toEqual({ since: null, recoveryCodesLeft: 0 })
    await signInFounder(server)
  })

  test('is confirmed by its own session only, in time, with a right code', async () => {
    const { secret, setup } = await founder.call(founderSecondFactor.start, { body: { password: await secretOf() } })
    const confirm = (by: Caller, code: string) =>
      by.request('POST', '/api/founder/second-factor/totp/confirmation', { setup, code })
    const wrong = codeNow(server, secret, 5)
    expect(await confirm(founder, wrong)).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_WRONG' } })
    const other = await signInFounder(server)
    expect(await confirm(other, codeNow(server, secret))).toMatchObject({ body: { code: 'SETUP_EXPIRED' } })
    server.clock.advance(limits.totpSetupTime)
    expect(await confirm(founder, codeNow(server, secret))).toMatchObject({ body: { code: 'SETUP_EXPIRED' } })
  })

  test('is over where it was begun with the password alone and another app is on now', async () => {
    const { secret, setup } = await founder.call(founderSecondFactor.start, { body: { password: await secretOf() } })
    await setUpFounderApp(server, founder)
    const body = { setup, code: codeNow(server, secret) }
    expect((await founder.refused(founderSecondFactor.confirm, { body })).body.code).toBe('SETUP_EXPIRED')
  })

  test('a replacement needs a code of the current app, which works until the new one shows a code', async () => {
    const { secret: old, codes } = await setUpFounderApp(server, founder)
    const password = await secretOf()
    expect((await founder.refused(founderSecondFactor.start, { body: { password } })).body.code).toBe(
      'SECOND_FACTOR_REQUIRED',
    )
    const { secret, setup } = await founder.call(founderSecondFactor.start, {
      body: { password, recoveryCode: codes[0] },
    })
    server.clock.advance(30_000)
    const browser = server.visitor()
    expect((await finish(browser, await ticketFor(browser), { code: codeNow(server, old) })).status).toBe(200)
    await founder.call(founderSecondFactor.confirm, { body: { setup, code: codeNow(server, secret) } })
    server.clock.advance(30_000)
    expect((await finish(browser, await ticketFor(browser), { code: codeNow(server, old) })).status).toBe(401)
    expect((await finish(browser, await ticketFor(browser), { recoveryCode: codes[1] as string })).status).toBe(401)
    expect((await finish(browser, await ticketFor(browser), { code: codeNow(server, secret) })).status).toBe(200)
  })
})

test('removing it needs the password and a code; then the password alone is enough', async () => {
  const { codes } = await setUpFounderApp(server, founder)
  const password = await secretOf()
  expect((await founder.refused(founderSecondFactor.remove, { body: { password } })).body.code).toBe(
    'SECOND_FACTOR_REQUIRED',
  )
  await founder.refused(founderSecondFactor.remove, { body: { password, recoveryCode: 'wrong' } })
  await founder.refused(founderSecondFactor.remove, { body: { password: 'wrong', recoveryCode: codes[0] } })
  const off = await founder.call(founderSecondFactor.remove, { body: { password, recoveryCode: codes[0] } })
  expect(off).toEqual({ since: null, recoveryCodesLeft: 0 })
  await signInFounder(server)
  expect((await founder.refused(founderSecondFactor.remove, { body: { password } })).body.code).toBe(
    'SECOND_FACTOR_OFF',
  )
})

test('a stolen session gives nobody more guesses at the password', async () => {
  const codes: string[] = []
  for (let at = 0; at < 6; at++)
    codes.push((await founder.refused(founderSecondFactor.start, { body: { password: `wrong ${at}` } })).body.code)
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'WRONG_PASSWORD'), 'ACCOUNT_LOCKED'])
})

describe('changing the password', () => {
  const salt = 'AAECAwQFBgcICQoLDA0ODw'

  test('ends every other session, rewraps the report keys, and invalidates the old password', async () => {
    await using own = await createTestServer()
    const [one, other] = [await signInFounder(own), await signInFounder(own)]
    const key = makeReportKey(own.clock.now(), null)
    await one.call(reportKeys.add, { body: key })
    const { password } = (await founderLogin(own, one)).body
    const wrappedSeed = makeReportKey(0, null).wrappedSeed
    const newPassword = await deriveQuickly('another password', salt)
    const body = { password, newPassword, salt, reportKeys: [{ id: key.id, wrappedSeed }] }
    await one.refused(founderSecondFactor.changePassword, { body: { ...body, password: 'wrong' } })
    await one.call(founderSecondFactor.changePassword, { body })
    await one.call(founderSessions.verify, {})
    await other.refused(founderSessions.verify, {})
    expect((await one.call(reportKeys.list, {})).keys).toMatchObject([
      { id: key.id, publicKey: key.publicKey, wrappedSeed },
    ])
    await other.refused(founderSessions.login, await founderLogin(own, other))
    await own.restart()
    await other.call(founderSessions.login, await founderLogin(own, other, 'another password'))
  })

  test('is refused where FOUNDER_PASSWORD says what it is: it would not outlast a restart', async () => {
    await using given = await createTestServer({ env: { FOUNDER_PASSWORD: 'from the environment' } })
    const browser = await signInFounder(given)
    const { password } = (await founderLogin(given, browser)).body
    const body = { password, newPassword: 'x', salt, reportKeys: [] }
    const refused = await browser.refused(founderSecondFactor.changePassword, { body })
    expect(refused).toMatchObject({ status: 409, body: { code: 'PASSWORD_IN_ENVIRONMENT' } })
    await signInFounder(given)
  })
})

describe('report keys', () => {
  test('the newest comes first; what is wrapped is sealed once more at rest', async () => {
    const before = (await founder.call(reportKeys.list, {})).keys
    const key = makeReportKey(server.clock.now(), before[0]?.id ?? null)
    await founder.call(reportKeys.add, { body: key })
    const { keys } = await founder.call(reportKeys.list, {})
    expect(keys[0]).toMatchObject({ id: key.id, publicKey: key.publicKey, wrappedSeed: key.wrappedSeed })
    const rows = JSON.stringify(await server.core.db.read.all('select wrapped_seed from founder_report_keys'))
    expect(rows).not.toContain(key.wrappedSeed)
  })

  test('of two made at the same moment one is refused', async () => {
    const replaces = (await founder.call(reportKeys.list, {})).keys[0]?.id ?? null
    const answers = await Promise.all(
      [1, 2].map(() =>
        founder.request('POST', '/api/founder/report-keys', makeReportKey(server.clock.now(), replaces)),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test.each([
    ['a public key of another length', { publicKey: 'AAAA' }],
    ['a private half that is not wrapped', { wrappedSeed: 'A'.repeat(43) }],
    ['a huge private half', { wrappedSeed: 'A'.repeat(10_000) }],
    ['no id', { id: 'x' }],
  ])('%s is refused', async (_what, spoilt) => {
    const body = { ...makeReportKey(server.clock.now(), null), ...spoilt }
    expect((await founder.request('POST', '/api/founder/report-keys', body)).status).toBe(400)
  })
})
