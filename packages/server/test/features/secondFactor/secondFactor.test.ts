import { limits } from '@privity/contract/limits'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxStoredSteps } from '../../../src/features/secondFactor/totp.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { signIn: { requests: 1000, window: 1000 } } } })
})
afterAll(() => server.close())

const passwordOf = ({ password }: Member) => ({ password })
const finish = (ticket: string, proof: object) => ({ body: { ticket, ...proof } })

test('an app is on once a code of it is confirmed, and comes with recovery codes', async () => {
  const member = await server.signUp()
  const begun = await member.call(secondFactor.startTotp, { body: passwordOf(member) })
  expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(begun.uri).toContain(`secret=${begun.secret}`)
  await server.visitor().call(session.login, { body: { username: member.user.username, password: member.password } })
  expect(await member.call(secondFactor.state, {})).toMatchObject({ on: false, totp: null, recoveryCodesLeft: 0 })

  const socket = await member.socket()
  const { state, recoveryCodes = [] } = await member.call(secondFactor.confirmTotp, {
    body: { code: codeFrom(server, begun.secret) },
  })
  expect(state).toEqual({
    on: true,
    totp: { since: server.clock.now() },
    passkeys: [],
    recoveryCodesLeft: limits.recoveryCodes,
    passkeysHere: 'address',
  })
  expect(new Set(recoveryCodes).size).toBe(limits.recoveryCodes)
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  await socket.next('second_factor_changed')
  expect((await member.refused(secondFactor.startTotp, { body: passwordOf(member) })).body.code).toBe(
    'SECOND_FACTOR_REQUIRED',
  )
})

test('setting up needs the password, a right code, the same session, and 15 minutes at most', async () => {
  const member = await server.signUp()
  const wrong = await member.refused(secondFactor.startTotp, { body: { password: 'wrong' } })
  expect(wrong.body.code).toBe('WRONG_PASSWORD')
  const confirm = (code: string) => ({ body: { code } })
  expect((await member.refused(secondFactor.confirmTotp, confirm('123456'))).body.code).toBe('SETUP_EXPIRED')

  const { secret } = await member.call(secondFactor.startTotp, { body: passwordOf(member) })
  const other = server.visitor()
  await other.call(session.login, { body: { username: member.user.username, password: member.password } })
  const code = codeFrom(server, secret)
  expect((await other.refused(secondFactor.confirmTotp, confirm(code))).body.code).toBe('SETUP_EXPIRED')
  const bad = code === '000000' ? '000001' : '000000'
  expect((await member.refused(secondFactor.confirmTotp, confirm(bad))).body.code).toBe('SECOND_FACTOR_WRONG')
  // Expired, and not yet deleted by the job.
  await server.core.db.write((tx) =>
    tx.run('update authenticator_setups set created_at = created_at - ?', [limits.totpSetupTime]),
  )
  const late = await member.refused(secondFactor.confirmTotp, confirm(codeFrom(server, secret)))
  expect(late.body.code).toBe('SETUP_EXPIRED')
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('the right password alone starts no session; the code starts one', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  const needed = await enterPassword(browser, member)
  expect(needed).toEqual({
    methods: ['totp', 'recoveryCode'],
    ticket: expect.stringMatching(/^[\w-]{43}$/),
    passkeysElsewhere: false,
  })
  expect([...browser.cookies.keys()]).toEqual(['privity_device'])
  for (const path of ['/api/user', '/api/keys']) expect((await browser.request('GET', path)).status).toBe(401)

  expect(await browser.call(secondFactor.signIn, finish(needed.ticket, { code: app.code() }))).toMatchObject(
    member.user,
  )
  expect(await browser.call(session.getUser, {})).toMatchObject(member.user)
  expect((await browser.request('GET', '/api/keys')).status).toBe(200)
})

test('a code that is entered with a space counts, and clocks may differ by one step', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  for (const steps of [-1, 1]) {
    const browser = server.visitor()
    const { ticket } = await enterPassword(browser, member)
    const [code, far] = [app.code(steps), app.code(steps * 2)]
    const refusal = await browser.refused(secondFactor.signIn, finish(ticket, { code: far }))
    expect(refusal).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_WRONG' } })
    await browser.call(secondFactor.signIn, finish(ticket, { code: `${code.slice(0, 3)} ${code.slice(3)}` }))
  }
})

test('a code works once: not again, not by two at once, no older one, and not that of the setup', async () => {
  const member = await server.signUp()
  const { secret } = await member.call(secondFactor.startTotp, { body: passwordOf(member) })
  const first = codeFrom(server, secret)
  await member.call(secondFactor.confirmTotp, { body: { code: first } })
  const browsers = [server.visitor(), server.visitor(), server.visitor()]
  const tickets = await Promise.all(browsers.map(async (browser) => (await enterPassword(browser, member)).ticket))
  const attempt = async (at: number, code: string) =>
    (await browsers[at]?.request('POST', '/api/login/second-factor', { ticket: tickets[at], code }))?.status
  expect(await attempt(0, first)).toBe(401)

  await server.advance(30_000)
  const next = codeFrom(server, secret)
  const statuses = await Promise.all([attempt(0, next), attempt(1, next), attempt(2, next)])
  expect(statuses.toSorted()).toEqual([200, 401, 401])
  const left = statuses.indexOf(401)
  expect(await attempt(left, next)).toBe(401)
  expect(await attempt(left, first)).toBe(401)
})

test('codes used under a fast clock lock nobody out, and none of them works again', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const day = 24 * 60 * 60_000
  const enter = async (code: string) => {
    const browser = server.visitor()
    const { ticket } = await enterPassword(browser, member)
    return (await browser.request('POST', '/api/login/second-factor', { ticket, code })).status
  }
  server.clock.advance(day)
  const ahead = app.code()
  expect(await enter(ahead)).toBe(200)
  server.clock.advance(-day)
  const code = app.code()
  expect(await enter(code)).toBe(200)
  expect(await enter(code)).toBe(401)
  expect(await enter(app.code(-1))).toBe(401)
  server.clock.advance(30_000)
  expect(await enter(app.code())).toBe(200)
  server.clock.advance(day - 30_000)
  expect(app.code()).toBe(ahead)
  expect(await enter(ahead)).toBe(401)
  server.clock.advance(30_000)
  expect(await enter(app.code())).toBe(200)
  server.clock.advance(-30_000 - day)
  expect(await enter(code)).toBe(401)
  server.clock.advance(day + 60_000)
})

test('enough steps are stored to refuse reuse, and a new app starts without them', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { db } = server.core
  const now = Math.floor(server.clock.now() / 30_000)
  await db.write(async (tx) => {
    for (let n = 2; n <= maxStoredSteps + 5; n++)
      await tx.run('insert into used_steps (user_id, step) values (?, ?)', [member.user.id, now - n * 10])
  })
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  await browser.call(secondFactor.signIn, finish(ticket, { code: app.code() }))
  const steps = () =>
    db.read.all<{ step: number }>('select step from used_steps where user_id = ? order by step', [member.user.id])
  const kept = await steps()
  expect([kept.length, kept.at(-1)?.step]).toEqual([maxStoredSteps, now])
  server.clock.advance(30_000)
  const { secret } = await member.call(secondFactor.startTotp, {
    body: { ...passwordOf(member), code: app.code() },
  })
  await member.call(secondFactor.confirmTotp, { body: { code: codeFrom(server, secret) } })
  expect(await steps()).toEqual([{ step: now + 1 }])
})

test('a recovery code works once, in any spelling, and one used leaves one fewer', async () => {
  const member = await server.signUp()
  const { recoveryCodes } = await enableTotp(server, member)
  const code = recoveryCodes[0] as string
  const browsers = [server.visitor(), server.visitor()]
  const statuses = await Promise.all(
    browsers.map(async (browser) => {
      const { ticket } = await enterPassword(browser, member)
      const recoveryCode = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`
      return (await browser.request('POST', '/api/login/second-factor', { ticket, recoveryCode })).status
    }),
  )
  expect(statuses.toSorted()).toEqual([200, 401])
  expect((await member.call(secondFactor.state, {})).recoveryCodesLeft).toBe(limits.recoveryCodes - 1)
  const events = await server.core.db.read.all(
    "select event_type from security_events where user_id = ? and event_type = 'recovery_code_used'",
    [member.user.id],
  )
  expect(events).toHaveLength(1)
})

test('a ticket is good once, for five minutes, in its browser, for its account and its password', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  const invalid = { status: 401, body: { code: 'TICKET_INVALID' } }

  const elsewhere = server.visitor()
  expect(await elsewhere.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))).toMatchObject(invalid)
  expect(await other.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))).toMatchObject(invalid)
  const made = { ticket: 'A'.repeat(43), code: app.code() }
  expect(await browser.refused(secondFactor.signIn, { body: made })).toMatchObject(invalid)

  const otherApp = await enableTotp(server, other)
  const foreign = await browser.refused(secondFactor.signIn, finish(ticket, { code: otherApp.code() }))
  expect(foreign.body.code).toBe('SECOND_FACTOR_WRONG')
  await browser.call(secondFactor.signIn, finish(ticket, { code: app.code() }))
  await server.advance(30_000)
  expect(await browser.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))).toMatchObject(invalid)

  const late = await enterPassword(browser, member)
  await server.advance(limits.secondFactorTime)
  const refusal = await browser.refused(secondFactor.signIn, finish(late.ticket, { code: app.code() }))
  expect(refusal).toMatchObject(invalid)
  expect(
    await server.core.db.read.all('select * from sign_in_tickets where expires_at <= ?', [server.clock.now()]),
  ).toEqual([])

  const before = await enterPassword(browser, member)
  await server.core.db.write((tx) =>
    tx.run('update users set password_hash = (select password_hash from users where id = ?) where id = ?', [
      other.user.id,
      member.user.id,
    ]),
  )
  const changed = await browser.refused(secondFactor.signIn, finish(before.ticket, { code: app.code() }))
  expect(changed).toMatchObject(invalid)
})

test('an account that was suspended between password and code stays out', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [member.user.id]))
  const refusal = await browser.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))
  expect(refusal.body.code).toBe('ACCOUNT_UNAVAILABLE')
})

test('switching off takes password and second factor, ends no session, and leaves nothing', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const body = { ...passwordOf(member), what: 'everything' as const }
  const refusal = await member.refused(secondFactor.remove, { body })
  expect(refusal.body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', details: { methods: ['totp', 'recoveryCode'] } })
  const wrongPassword = await member.refused(secondFactor.remove, {
    body: { ...body, password: 'no', code: app.code() },
  })
  expect(wrongPassword.body.code).toBe('WRONG_PASSWORD')
  const wrongCode = await member.refused(secondFactor.remove, { body: { ...body, code: app.wrong() } })
  expect(wrongCode.body.code).toBe('SECOND_FACTOR_WRONG')
  expect((await member.call(secondFactor.state, {})).on).toBe(true)

  const { state } = await member.call(secondFactor.remove, { body: { ...body, code: app.code() } })
  expect(state).toMatchObject({ on: false, totp: null, recoveryCodesLeft: 0 })
  for (const table of ['authenticator_apps', 'recovery_codes', 'sign_in_tickets'])
    expect(await server.core.db.read.all(`select * from ${table} where user_id = ?`, [member.user.id])).toEqual([])
  await member.call(session.getUser, {})
  await server.visitor().call(session.login, { body: { username: member.user.username, password: member.password } })
  expect((await member.refused(secondFactor.remove, { body })).body.code).toBe('SECOND_FACTOR_OFF')
})

test('new recovery codes replace the old ones, after password and second factor', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const old = app.recoveryCodes[0] as string
  const { recoveryCodes = [] } = await member.call(secondFactor.renewRecoveryCodes, {
    body: { ...passwordOf(member), recoveryCode: app.recoveryCodes[1] as string },
  })
  expect(recoveryCodes).toHaveLength(limits.recoveryCodes)
  const { ticket } = await enterPassword(member, member)
  expect((await member.refused(secondFactor.signIn, finish(ticket, { recoveryCode: old }))).body.code).toBe(
    'SECOND_FACTOR_WRONG',
  )
  await member.call(secondFactor.signIn, finish(ticket, { recoveryCode: recoveryCodes[0] as string }))
})

test('neither secret nor codes stand in the database, its answers or its records', async () => {
  const member = await server.signUp()
  const { secret } = await member.call(secondFactor.startTotp, { body: passwordOf(member) })
  const { recoveryCodes = [] } = await member.call(secondFactor.confirmTotp, {
    body: { code: codeFrom(server, secret) },
  })
  const tables = ['authenticator_apps', 'recovery_codes', 'audit_log', 'security_events', 'sign_in_tickets']
  const { ticket } = await enterPassword(server.visitor(), member)
  const rows = await Promise.all(tables.map((table) => server.core.db.read.all(`select * from ${table}`)))
  const everything = JSON.stringify([rows, await member.call(secondFactor.state, {})])
  for (const kept of [secret, ticket, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
    expect(everything).not.toContain(kept)
})
