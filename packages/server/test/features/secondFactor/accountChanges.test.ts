import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { makeRecoveryPair, random, wrapped } from '../../support/server/memberKeys.ts'
import { createSoftPasskey, originOf } from '../../support/scenes/passkey.ts'
import { addPasskey, codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { signIn: { requests: 1000, window: 1000 } } } })
})
afterAll(() => server.close())

type Body = Record<string, unknown>

interface Change {
  method: string
  path: string
  body(member: Member): Body
}

/** The calls that can take over an account. */
const changes: Change[] = [
  {
    method: 'PUT',
    path: '/api/account/password',
    body: ({ password, keys }) => ({
      currentPassword: password,
      newPassword: 'the new password',
      wrappedAccountKey: wrapped(),
      identityKey: keys?.identityKey,
    }),
  },
  {
    method: 'PUT',
    path: '/api/account/recovery-key',
    body: ({ password, user, keys }) => ({
      password,
      recoveryProof: random(32),
      recovery: makeRecoveryPair(user.id),
      recoveryWrappedAccountKey: wrapped(),
      identityKey: keys?.identityKey,
    }),
  },
  {
    method: 'POST',
    path: '/api/account/deletion',
    body: ({ user, password }) => ({ username: user.username, password }),
  },
]

async function send(browser: Caller, { method, path }: Change, body: Body) {
  const answer = await browser.request(method, path, body)
  const { code, details } = answer.body as { code?: string; details?: unknown }
  return { status: answer.status, code, details }
}

/** All data that the three calls could change. */
const stored = ({ user }: Member) =>
  server.core.db.read.get<Record<string, unknown>>(
    `select password_hash, wrapped_account_key, recovery_proof_hash, recovery_wrapped_account_key,
       (select count(*) from sessions where user_id = u.id) as sessions from users u where id = ?`,
    [user.id],
  )

/** An attacker with the session's cookie: their browser is unknown to the account. */
function steal(member: Member): Caller {
  const stolen = server.visitor()
  for (const [name, value] of member.cookies) if (name.includes('session')) stolen.cookies.set(name, value)
  return stolen
}

describe.each(changes)('$method $path', (change) => {
  test('a session and the password are not enough, a wrong code is refused, a right one does it', async () => {
    const member = await server.signUp()
    const app = await enableTotp(server, member)
    const body = change.body(member)
    const before = await stored(member)
    for (const browser of [member, steal(member)])
      expect(await send(browser, change, body)).toEqual({
        status: 401,
        code: 'SECOND_FACTOR_REQUIRED',
        details: { methods: ['totp', 'recoveryCode'] },
      })
    for (const wrong of [{ code: app.wrong() }, { code: app.code(9) }, { recoveryCode: 'AAAAA-AAAAA' }])
      expect(await send(member, change, { ...body, ...wrong })).toMatchObject({
        status: 401,
        code: 'SECOND_FACTOR_WRONG',
      })
    expect(await stored(member)).toEqual(before)
    expect((await send(member, change, { ...body, code: app.code() })).status).toBe(200)
    expect(await stored(member)).not.toEqual(before)
  })

  test('the password is asked first, and no second factor makes up for a wrong one', async () => {
    const member = await server.signUp()
    const app = await enableTotp(server, member)
    const wrong = change.body({ ...member, password: 'a guess' })
    const before = await stored(member)
    expect(await send(member, change, { ...wrong, code: app.code() })).toMatchObject({
      status: 403,
      code: 'WRONG_PASSWORD',
    })
    expect(await stored(member)).toEqual(before)
    // The refused call did not use up the code.
    expect((await send(member, change, { ...change.body(member), code: app.code() })).status).toBe(200)
  })

  test('a passkey or a recovery code confirms too; several at once or invalid ones change nothing', async () => {
    const member = await server.signUp()
    const { browser, passkey, recoveryCodes } = await addPasskey(server, member)
    const body = change.body(member)
    const before = await stored(member)
    const assertion = passkey.sign(await browser.call(secondFactor.requestPasskey, {}), originOf(server))
    const malformed = [
      { code: '123456', recoveryCode: recoveryCodes[0] },
      { assertion, recoveryCode: recoveryCodes[0] },
      { code: '12345' },
      { code: 123456 },
      { recoveryCode: '' },
      { assertion: {} },
      { assertion: { ...assertion, response: {} } },
    ]
    for (const part of malformed)
      expect(await send(browser, change, { ...body, ...part })).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await stored(member)).toEqual(before)
    expect((await send(browser, change, { ...body, assertion })).status).toBe(200)
  })

  test('without a second factor the password is enough; one that is not there is refused', async () => {
    const member = await server.signUp()
    const before = await stored(member)
    expect((await send(member, change, change.body({ ...member, password: 'a guess' }))).code).toBe('WRONG_PASSWORD')
    expect(await stored(member)).toEqual(before)
    expect((await send(member, change, change.body(member))).status).toBe(200)
  })
})

const [password, renewal, deletion] = changes as [Change, Change, Change]

test('what confirmed one change confirms no other: codes, recovery codes, passkeys', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { browser, passkey } = await addPasskey(server, member, { code: app.code() })
  await server.advance(60_000)
  const request = await browser.call(secondFactor.requestPasskey, {})
  const used = { assertion: passkey.sign(request, originOf(server)) }
  expect((await send(browser, renewal, { ...renewal.body(member), ...used })).status).toBe(200)
  for (const other of changes)
    expect((await send(browser, other, { ...other.body(member), ...used })).code).toBe('PASSKEY_REFUSED')
  for (const proof of [{ code: app.code() }, { recoveryCode: app.recoveryCodes[0] }]) {
    expect((await send(browser, renewal, { ...renewal.body(member), ...proof })).status).toBe(200)
    for (const other of [renewal, deletion])
      expect((await send(browser, other, { ...other.body(member), ...proof })).code).toBe('SECOND_FACTOR_WRONG')
  }
})

test('a passkey is refused for the challenge of a sign-in or another passkey, or when late', async () => {
  const member = await server.signUp()
  const { browser, passkey } = await addPasskey(server, member)
  const before = await stored(member)
  const sign = (request: Parameters<typeof passkey.sign>[0]) => ({ assertion: passkey.sign(request, originOf(server)) })
  const refused = async (proof: object) =>
    expect((await send(browser, deletion, { ...deletion.body(member), ...proof })).code).toBe('PASSKEY_REFUSED')

  const { ticket } = await enterPassword(browser, member)
  await refused(sign(await browser.call(secondFactor.requestSignInPasskey, { body: { ticket } })))
  const foreign = createSoftPasskey()
  await refused({ assertion: foreign.sign(await browser.call(secondFactor.requestPasskey, {}), originOf(server)) })
  const late = sign(await browser.call(secondFactor.requestPasskey, {}))
  await server.advance(limits.passkeyTime)
  await refused(late)
  expect(await stored(member)).toEqual(before)
})

test('of two changes with one code at the same moment one is made', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const code = app.code()
  const answers = await Promise.all(
    [renewal, renewal, renewal].map((change) => send(member, change, { ...change.body(member), code })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  expect(answers.filter(({ code: refusal }) => refusal === 'SECOND_FACTOR_WRONG')).toHaveLength(2)
})

test('wrong codes for any purpose lock a stolen session; the owner’s browser has its own count', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const stolen = steal(member)
  for (const change of [password, renewal, deletion, password, renewal])
    expect((await send(stolen, change, { ...change.body(member), code: app.wrong() })).code).toBe('SECOND_FACTOR_WRONG')
  for (const change of changes)
    expect(await send(stolen, change, { ...change.body(member), code: app.code() })).toMatchObject({
      status: 423,
      code: 'ACCOUNT_LOCKED',
    })
  const { username } = member.user
  const locked = await server.visitor().refused(session.login, { body: { username, password: member.password } })
  expect(locked.body.code).toBe('ACCOUNT_LOCKED')
  expect((await send(member, password, { ...password.body(member), code: app.code() })).status).toBe(200)
})

test('a second factor switched on while a change is on its way is asked for', async () => {
  const member = await server.signUp()
  const { secret } = await member.call(secondFactor.startTotp, { body: { password: member.password } })
  const before = await stored(member)
  const { passwords } = server.core
  const { hash } = passwords
  // Enables a second factor after the password was verified.
  passwords.hash = async (given) => {
    passwords.hash = hash
    await member.call(secondFactor.confirmTotp, { body: { code: codeFrom(server, secret) } })
    return hash(given)
  }
  const answer = await send(member, password, password.body(member))
  expect(answer).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED', details: { methods: expect.any(Array) } })
  expect(await stored(member)).toEqual(before)
})

test('a recovery key that could not be renewed is the one that works', async () => {
  const member = await server.signUp()
  await enableTotp(server, member)
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const made = renewal.body(member) as { recoveryProof: string }
  expect((await send(steal(member), renewal, made)).code).toBe('SECOND_FACTOR_REQUIRED')
  await server.visitor().call(recovery.start, { body: proof })
  const thiefs = { ...proof, recoveryProof: made.recoveryProof }
  expect((await server.visitor().refused(recovery.start, { body: thiefs })).body.code).toBe('RECOVERY_REFUSED')
})

test('a right code for what is refused for another reason locks nobody out, and was not used', async () => {
  await using own = await createTestServer()
  const first = await own.signUp()
  await own.signUp()
  await own.core.db.write((tx) => tx.run("update users set role = 'super_admin' where id = ?", [first.user.id]))
  const app = await enableTotp(own, first)
  const { username } = first.user
  const body = { username, password: first.password, code: app.code() }
  for (let at = 0; at < limits.failedSignIns + 1; at++)
    expect((await first.refused(account.remove, { body })).body.code).toBe('LAST_SUPER_ADMIN')
  const bare = { currentPassword: first.password, newPassword: 'the new one' }
  expect((await first.refused(account.changePassword, { body: { ...bare, code: app.code() } })).body.code).toBe(
    'INVALID_INPUT',
  )
  const wrap = { wrappedAccountKey: wrapped(), identityKey: first.keys?.identityKey }
  await first.call(account.changePassword, { body: { ...bare, ...wrap, code: app.code() } })
})
