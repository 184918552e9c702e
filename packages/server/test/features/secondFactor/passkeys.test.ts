import { limits } from '@privity/contract/limits'
import { type SecondFactorNeeded, secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { relyingPartyOf } from '../../../src/features/secondFactor/passkeyOptions.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { atLocalhost, createSoftPasskey, originOf, type SoftPasskey } from '../../support/scenes/passkey.ts'
import { addPasskey, codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { signIn: { requests: 1000, window: 1000 } } } })
})
afterAll(() => server.close())

/** Signs the server's challenge for this ticket and finishes the sign-in. */
async function answer(browser: Caller, { ticket }: SecondFactorNeeded, passkey: SoftPasskey) {
  const options = await browser.call(secondFactor.requestSignInPasskey, { body: { ticket } })
  return { ticket, assertion: passkey.sign(options, originOf(server)) }
}

test('a passkey is added with a name, asked for at sign-in, and shows when it was used', async () => {
  const member = await server.signUp()
  const { passkey, recoveryCodes, browser: own } = await addPasskey(server, member, {}, ' Blue key ')
  expect(recoveryCodes).toHaveLength(limits.recoveryCodes)
  const browser = atLocalhost(server)
  const needed = await enterPassword(browser, member)
  expect(needed).toMatchObject({ methods: ['passkey', 'recoveryCode'], passkeysElsewhere: false })
  await server.advance(1_000)
  const options = await browser.call(secondFactor.requestSignInPasskey, { body: { ticket: needed.ticket } })
  expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: passkey.id, transports: ['internal'] }] })
  const body = { ticket: needed.ticket, assertion: passkey.sign(options, originOf(server)) }
  expect(await browser.call(secondFactor.signIn, { body })).toMatchObject(member.user)
  await browser.call(session.getUser, {})
  const { passkeys } = await own.call(secondFactor.state, {})
  expect(passkeys).toEqual([
    expect.objectContaining({ name: 'Blue key', lastUsedAt: server.clock.now(), usable: true }),
  ])
})

test('a challenge is answered once, within minutes, for its own ticket', async () => {
  const member = await server.signUp()
  const { passkey } = await addPasskey(server, member)
  const browser = atLocalhost(server)
  const needed = await enterPassword(browser, member)
  const refused = { status: 401, body: { code: 'PASSKEY_REFUSED' } }

  const late = await answer(browser, needed, passkey)
  await server.advance(limits.passkeyTime - 1)
  const fresh = await enterPassword(browser, member)
  await server.advance(1)
  expect((await browser.refused(secondFactor.signIn, { body: late })).body.code).toBe('TICKET_INVALID')
  expect(await browser.refused(secondFactor.signIn, { body: { ...late, ticket: fresh.ticket } })).toMatchObject(refused)

  const other = await enterPassword(browser, member)
  const forOther = await answer(browser, other, passkey)
  const stolen = { ...forOther, ticket: fresh.ticket }
  expect(await browser.refused(secondFactor.signIn, { body: stolen })).toMatchObject(refused)
  await browser.call(secondFactor.requestSignInPasskey, { body: { ticket: fresh.ticket } })
  expect(await browser.refused(secondFactor.signIn, { body: stolen })).toMatchObject(refused)

  const right = await answer(browser, fresh, passkey)
  await browser.call(secondFactor.signIn, { body: right })
  const next = await enterPassword(browser, member)
  expect(await browser.refused(secondFactor.signIn, { body: { ...right, ticket: next.ticket } })).toMatchObject(refused)
})

test('nothing but the right key at the right address signs in', async () => {
  const [member, stranger] = [await server.signUp(), await server.signUp()]
  const { passkey } = await addPasskey(server, member)
  const foreign = await addPasskey(server, stranger)
  const origin = originOf(server)
  const refusal = async (make: (options: Parameters<SoftPasskey['sign']>[0]) => object) => {
    const browser = atLocalhost(server)
    const { ticket } = await enterPassword(browser, member)
    const options = await browser.call(secondFactor.requestSignInPasskey, { body: { ticket } })
    const answer = await browser.request('POST', '/api/login/second-factor', { ticket, assertion: make(options) })
    await server.core.db.write((tx) => tx.run('delete from sign_in_locks'))
    return [answer.status, (answer.body as { code: string }).code]
  }
  const no = [401, 'PASSKEY_REFUSED']
  expect(await refusal((options) => foreign.passkey.sign(options, origin))).toEqual(no)
  expect(
    await refusal((options) => ({ ...foreign.passkey.sign(options, origin), id: passkey.id, rawId: passkey.id })),
  ).toEqual(no)
  expect(await refusal((options) => passkey.sign(options, 'http://localhost:1'))).toEqual(no)
  expect(await refusal((options) => passkey.sign({ ...options, rpId: 'other.test' }, origin))).toEqual(no)
  expect(await refusal((options) => passkey.sign({ ...options, challenge: 'AAAA' }, origin))).toEqual(no)
  expect(
    await refusal((options) => {
      const signed = passkey.sign(options, origin)
      return { ...signed, response: { ...signed.response, signature: 'AAAA' } }
    }),
  ).toEqual(no)
  expect(await refusal((options) => passkey.sign(options, origin))).toEqual([200, undefined])
})

test('a counter that does not grow is reported as a copy; wrong passkeys count toward the lock', async () => {
  const member = await server.signUp()
  const { passkey } = await addPasskey(server, member)
  const browser = atLocalhost(server)
  passkey.counter = 7
  await browser.call(secondFactor.signIn, {
    body: await answer(browser, await enterPassword(browser, member), passkey),
  })

  const copy = atLocalhost(server)
  for (let at = 0; at < 5; at++) {
    passkey.counter = at % 2 === 0 ? 3 : 7
    const refusal = await copy.refused(secondFactor.signIn, {
      body: await answer(copy, await enterPassword(copy, member), passkey),
    })
    expect(refusal.body.code).toBe('PASSKEY_REFUSED')
    if (at === 0) passkey.counter = 7
  }
  passkey.counter = 20
  const locked = await copy.refused(session.login, {
    body: { username: member.user.username, password: member.password },
  })
  expect(locked.body.code).toBe('ACCOUNT_LOCKED')
  const events = await server.core.db.read.all<{ severity: string }>(
    "select severity from security_events where user_id = ? and event_type = 'passkey_copy_suspected'",
    [member.user.id],
  )
  expect(events.map(({ severity }) => severity)).toContain('high')
})

test('of a passkey and its copy that show one counter at the same moment, one signs in', async () => {
  const member = await server.signUp()
  const { passkey } = await addPasskey(server, member)
  const browsers = [atLocalhost(server), atLocalhost(server)]
  const ready: (() => Promise<{ status: number }>)[] = []
  for (const browser of browsers) {
    passkey.counter = 7
    const body = await answer(browser, await enterPassword(browser, member), passkey)
    ready.push(() => browser.request('POST', '/api/login/second-factor', body))
  }
  const answers = await Promise.all(ready.map((signIn) => signIn()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

test('several different passkeys can be added, and removing the last one switches the factor off', async () => {
  const member = await server.signUp()
  const first = await addPasskey(server, member, {}, 'One')
  const { browser, passkey } = first
  const confirm = async () => {
    const options = await browser.call(secondFactor.requestPasskey, {})
    return { password: member.password, assertion: passkey.sign(options, originOf(server)) }
  }
  const bare = await browser.refused(secondFactor.startPasskey, { body: { password: member.password } })
  expect(bare.body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', details: { methods: ['passkey', 'recoveryCode'] } })

  const options = await browser.call(secondFactor.startPasskey, { body: await confirm() })
  expect(options.excludeCredentials).toEqual([expect.objectContaining({ id: passkey.id })])
  const twice = { name: 'Again', credential: passkey.create(options, originOf(server)) }
  expect((await browser.refused(secondFactor.addPasskey, { body: twice })).body.code).toBe('PASSKEY_EXISTS')
  expect((await browser.refused(secondFactor.addPasskey, { body: twice })).body.code).toBe('SETUP_EXPIRED')

  const more = await browser.call(secondFactor.startPasskey, { body: await confirm() })
  const credential = createSoftPasskey().create(more, originOf(server))
  const { state, recoveryCodes } = await browser.call(secondFactor.addPasskey, { body: { name: 'Two', credential } })
  expect([state.passkeys.map(({ name }) => name), recoveryCodes]).toEqual([['One', 'Two'], undefined])

  const second = state.passkeys[1]?.id as string
  const remove = async (id: string) => ({ params: { id }, body: await confirm() })
  const left = await browser.call(secondFactor.removePasskey, await remove(second))
  expect(left.state).toMatchObject({ on: true, passkeys: [{ name: 'One' }] })
  expect((await browser.refused(secondFactor.removePasskey, await remove(second))).body.code).toBe('PASSKEY_NOT_FOUND')
  const last = await browser.call(secondFactor.removePasskey, await remove(first.id))
  expect(last.state).toMatchObject({ on: false, passkeys: [], recoveryCodesLeft: 0 })
})

test('what was begun while the password was enough ends with the first factor', async () => {
  const member = await server.signUp()
  const { username } = member.user
  const body = { password: member.password }
  const thief = atLocalhost(server, server.visitor())
  await thief.call(session.login, { body: { username, ...body } })
  const { secret } = await thief.call(secondFactor.startTotp, { body })
  const options = await thief.call(secondFactor.startPasskey, { body })

  await addPasskey(server, member)
  const late = await thief.refused(secondFactor.confirmTotp, { body: { code: codeFrom(server, secret) } })
  expect(late.body.code).toBe('SETUP_EXPIRED')
  const credential = createSoftPasskey().create(options, originOf(server))
  const other = await thief.refused(secondFactor.addPasskey, { body: { name: 'Mine', credential } })
  expect(other.body.code).toBe('SETUP_EXPIRED')
  expect(await member.call(secondFactor.state, {})).toMatchObject({ totp: null, passkeys: [{ name: 'A key' }] })
})

test('what a new passkey answers must fit the challenge and the address', async () => {
  const member = await server.signUp()
  const browser = atLocalhost(server, member)
  const start = () => browser.call(secondFactor.startPasskey, { body: { password: member.password } })
  for (const [origin, change] of [
    ['http://localhost:1', {}],
    [originOf(server), { challenge: 'AAAA' }],
    [originOf(server), { rp: { id: 'other.test', name: 'x' } }],
  ] as const) {
    const credential = createSoftPasskey().create({ ...(await start()), ...change }, origin)
    const refusal = await browser.refused(secondFactor.addPasskey, { body: { name: 'x', credential } })
    expect(refusal.body.code).toBe('PASSKEY_REFUSED')
  }
  const options = await start()
  // Expired, and not yet deleted by the job.
  await server.core.db.write((tx) =>
    tx.run('update passkey_challenges set expires_at = expires_at - ?', [limits.passkeyTime]),
  )
  const credential = createSoftPasskey().create(options, originOf(server))
  const late = await browser.refused(secondFactor.addPasskey, { body: { name: 'x', credential } })
  expect(late.body.code).toBe('SETUP_EXPIRED')
  expect((await browser.call(secondFactor.state, {})).on).toBe(false)
})

test('at a bare IP address there are no passkeys, and sign-in says that they belong elsewhere', async () => {
  const member = await server.signUp()
  const refusal = await member.refused(secondFactor.startPasskey, { body: { password: member.password } })
  expect(refusal.body.code).toBe('PASSKEYS_UNAVAILABLE')
  const { recoveryCodes } = await addPasskey(server, member)
  expect(await member.call(secondFactor.state, {})).toMatchObject({
    passkeysHere: 'address',
    passkeys: [{ usable: false }],
  })
  const needed = await enterPassword(member, member)
  expect(needed).toMatchObject({ methods: ['recoveryCode'], passkeysElsewhere: true })
  const body = { ticket: needed.ticket }
  expect((await member.refused(secondFactor.requestSignInPasskey, { body })).body.code).toBe('PASSKEYS_UNAVAILABLE')
  await member.call(secondFactor.signIn, { body: { ...body, recoveryCode: recoveryCodes[0] as string } })
})

test('an app and a passkey open the same account, and one can be removed while the other stays', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { passkey } = await addPasskey(server, member, { code: app.code() })
  const browser = atLocalhost(server)
  const needed = await enterPassword(browser, member)
  expect(needed.methods).toEqual(['totp', 'passkey', 'recoveryCode'])
  await browser.call(secondFactor.signIn, { body: await answer(browser, needed, passkey) })
  await server.advance(30_000)
  const body = { what: 'totp' as const, password: member.password, code: app.code() }
  const { state } = await browser.call(secondFactor.remove, { body })
  expect(state).toMatchObject({ on: true, totp: null, recoveryCodesLeft: limits.recoveryCodes })
  expect((await enterPassword(atLocalhost(server), member)).methods).toEqual(['passkey', 'recoveryCode'])
})

test('the domain is that of PUBLIC_URL, else of the name in the address', () => {
  const tls = { cert: '', key: '' }
  const of = (publicUrl: string | undefined, host: string | undefined, secure = false) =>
    relyingPartyOf({ publicUrl, tls: secure ? tls : undefined }, host)
  expect(of('https://chat.example.org:8443', '10.0.0.1:3000')).toEqual({
    id: 'chat.example.org',
    origin: 'https://chat.example.org:8443',
  })
  expect(of(undefined, 'localhost:3000')).toEqual({ id: 'localhost', origin: 'http://localhost:3000' })
  expect(of(undefined, 'office.example:3000', true)).toEqual({
    id: 'office.example',
    origin: 'https://office.example:3000',
  })
  expect(of(undefined, 'office.example:3000')).toBe('insecure')
  for (const host of ['127.0.0.1:3000', '[::1]:3000', '192.168.0.7', undefined, 'a b'])
    expect(of(undefined, host), String(host)).toBe('address')
  expect(of('https://192.168.0.7', undefined)).toBe('address')
})
