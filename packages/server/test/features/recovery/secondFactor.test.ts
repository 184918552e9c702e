import { account } from '@privity/contract/account'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { secondFactor, type SecondFactorNeeded } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { removeSecondFactor } from '../../../src/features/secondFactor/disable.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import type { Caller } from '../../support/server/caller.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { atLocalhost, originOf } from '../../support/scenes/passkey.ts'
import { renewing, replacing } from '../../support/scenes/keyReplacement.ts'
import { addPasskey, type App, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'
import { refuse } from '../../support/database/schema.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { signIn: { requests: 1000, window: 1000 } } } })
})
afterAll(() => server.close())

const password = 'a new one'
const finish = (ticket: string, proof: object) => ({ body: { ticket, ...proof } })

/** Enters the recovery key in a browser, and expects the request for a second factor. */
async function recover(
  browser: Caller,
  member: Member,
  change: { password?: string; wrappedAccountKey?: string } = {},
) {
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const body = { ...proof, password, wrappedAccountKey: wrapped(), ...change }
  const refusal = await browser.refused(recovery.finish, { body })
  expect(refusal).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  return refusal.body.details as SecondFactorNeeded
}

const rowOf = ({ user }: Member) => server.core.db.read.get('select * from users where id = ?', [user.id])
const proposals = () => server.core.db.read.all('select * from proposed_passwords')
const actionsOf = async ({ user }: Member) =>
  (await selectAudit(server.core.db.read)).filter(({ actor_id }) => actor_id === user.id).map(({ action }) => action)

const tryPassword = (browser: Caller, member: Member, given: string) =>
  browser.refused(session.login, { body: { username: member.user.username, password: given } })

async function signUp(): Promise<{ member: Member; app: App; browser: Caller }> {
  const member = await server.signUp()
  return { member, app: await enableTotp(server, member), browser: server.visitor() }
}

async function expectUntouched(member: Member, before: unknown): Promise<void> {
  await member.call(session.getUser, {})
  expect(await rowOf(member)).toEqual(before)
  expect((await tryPassword(server.visitor(), member, password)).body.code).toBe('WRONG_CREDENTIALS')
  await enterPassword(server.visitor(), member)
  expect(await actionsOf(member)).not.toContain('password_recovered')
}

test('the recovery key alone changes nothing, however often it is used', async () => {
  const { member, browser } = await signUp()
  const other = server.visitor()
  const before = await rowOf(member)
  const socket = await member.socket()
  const devices = () => server.core.db.read.all('select * from known_devices where user_id = ?', [member.user.id])
  const known = await devices()
  for (let at = 0; at < 3; at++) await recover(browser, member)
  await recover(other, member)
  expect([browser, other].map(({ cookies }) => cookies.has('privity_session'))).toEqual([false, false])
  await expectUntouched(member, before)
  expect(await devices()).toEqual(known)
  expect(await Promise.race([socket.closed, Promise.resolve('open')])).toBe('open')
})

test.each(['code', 'recoveryCode'] as const)(
  'the second factor (%s) puts the new password in force, once, and ends every other session',
  async (kind) => {
    const { member, app, browser } = await signUp()
    const socket = await member.socket()
    const wrappedAccountKey = wrapped()
    const { ticket } = await recover(browser, member, { wrappedAccountKey })
    const elsewhere = server.visitor()
    const plain = await enterPassword(elsewhere, member)
    const wrong = await browser.refused(secondFactor.signIn, finish(ticket, { code: app.wrong() }))
    expect(wrong.body.code).toBe('SECOND_FACTOR_WRONG')
    await member.call(session.getUser, {})

    const proof = kind === 'code' ? { code: app.code() } : { recoveryCode: app.recoveryCodes[0] }
    expect(await browser.call(secondFactor.signIn, finish(ticket, proof))).toMatchObject(member.user)
    expect(await socket.closed).toBe(4003)
    expect((await member.refused(session.getUser, {})).status).toBe(401)
    expect((await browser.call(keys.getOwn, { query: {} })).wrappedAccountKey).toBe(wrappedAccountKey)
    expect((await tryPassword(server.visitor(), member, member.password)).body.code).toBe('WRONG_CREDENTIALS')
    await enterPassword(server.visitor(), { ...member, password })
    const actions = (await actionsOf(member)).slice(-3)
    expect(actions).toEqual(['password_recovered', 'signed_in', 'second_factor_asked'])
    const old = await elsewhere.refused(
      secondFactor.signIn,
      finish(plain.ticket, { recoveryCode: app.recoveryCodes[1] }),
    )
    expect(old.body.code).toBe('TICKET_INVALID')

    const after = await rowOf(member)
    const replay = await browser.refused(secondFactor.signIn, finish(ticket, { recoveryCode: app.recoveryCodes[1] }))
    expect(replay.body.code).toBe('TICKET_INVALID')
    expect(await rowOf(member)).toEqual(after)
    await browser.call(session.getUser, {})
  },
)

test('a passkey puts it in force too', async () => {
  const member = await server.signUp()
  const { passkey } = await addPasskey(server, member)
  const browser = atLocalhost(server)
  const { ticket } = await recover(browser, member)
  const request = await browser.call(secondFactor.requestSignInPasskey, { body: { ticket } })
  await member.call(session.getUser, {})
  const assertion = passkey.sign(request, originOf(server))
  await browser.call(secondFactor.signIn, { body: { ticket, assertion } })
  expect((await member.refused(session.getUser, {})).status).toBe(401)
  await enterPassword(browser, { ...member, password })
})

test('a ticket of the recovery key is good in its own browser only', async () => {
  const { member, app, browser } = await signUp()
  const before = await rowOf(member)
  const { ticket } = await recover(browser, member)
  for (const other of [server.visitor(), member])
    expect((await other.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))).body.code).toBe(
      'TICKET_INVALID',
    )
  await expectUntouched(member, before)
})

test('a recovery that waited too long changes nothing, and its new password is deleted', async () => {
  const { member, app, browser } = await signUp()
  const before = await rowOf(member)
  const { ticket } = await recover(browser, member)
  expect(await proposals()).not.toEqual([])
  await server.advance(limits.secondFactorTime)
  const late = await browser.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))
  expect(late.body.code).toBe('TICKET_INVALID')
  await expectUntouched(member, before)
  await server.advance(60_000)
  expect(await proposals()).toEqual([])
})

describe('in between makes it void:', () => {
  const cases: Record<string, (member: Member, app: App) => Promise<unknown>> = {
    'a password change': (member, app) =>
      member.call(account.changePassword, {
        body: {
          currentPassword: member.password,
          newPassword: 'chosen since',
          wrappedAccountKey: wrapped(),
          identityKey: member.keys?.identityKey,
          code: app.code(),
        },
      }),
    'a replacement of the keys': async (member, app) =>
      member.call(account.changePassword, { body: { ...(await replacing(member)), code: app.code() } }),
    'a new recovery key': (member, app) =>
      member.call(account.renewRecoveryKey, { body: { ...renewing(member), code: app.code() } }),
    'the removal of one factor of two': async (member, app) => {
      const { id, browser } = await addPasskey(server, member, { code: app.code() })
      await server.advance(60_000)
      await browser.call(secondFactor.removePasskey, {
        params: { id },
        body: { password: member.password, code: app.code() },
      })
    },
    'the removal of all by an administrator, even where there is one again': async (member) => {
      await server.core.db.write((tx) => removeSecondFactor(tx, server.core, member.user.id))
      await enableTotp(server, member)
    },
    'the end of the account': (member, app) =>
      member.call(account.remove, {
        body: { username: member.user.username, password: member.password, code: app.code() },
      }),
  }

  test.each(Object.entries(cases))('%s', async (_name, between) => {
    const { member, app, browser } = await signUp()
    const { ticket } = await recover(browser, member)
    await between(member, app)
    await server.advance(60_000)
    const before = await rowOf(member)
    const proof = { recoveryCode: app.recoveryCodes[0] }
    const refusal = await browser.refused(secondFactor.signIn, finish(ticket, proof))
    expect(refusal).toMatchObject({ status: 401, body: { code: 'TICKET_INVALID' } })
    expect(await rowOf(member)).toEqual(before)
    expect(browser.cookies.has('privity_session')).toBe(false)
    expect(await actionsOf(member)).not.toContain('password_recovered')
    await server.advance(limits.secondFactorTime)
    expect(await proposals()).toEqual([])
  })

  test('another recovery that was finished first', async () => {
    const { member, app, browser } = await signUp()
    const { ticket } = await recover(browser, member)
    const owner = server.visitor()
    const first = await recover(owner, member, { password: 'of the owner' })
    await owner.call(secondFactor.signIn, finish(first.ticket, { recoveryCode: app.recoveryCodes[0] }))
    const late = await browser.refused(secondFactor.signIn, finish(ticket, { recoveryCode: app.recoveryCodes[1] }))
    expect(late.body.code).toBe('TICKET_INVALID')
    await owner.call(session.getUser, {})
    await enterPassword(server.visitor(), { ...member, password: 'of the owner' })
  })
})

test('of two at the same moment one holds', async () => {
  const { member, app } = await signUp()
  const tries = await Promise.all(
    ['first', 'second'].map(async (chosen, at) => {
      const browser = server.visitor()
      const { ticket } = await recover(browser, member, { password: chosen })
      return { browser, chosen, body: { ticket, recoveryCode: app.recoveryCodes[at] } }
    }),
  )
  const answers = await Promise.all(
    tries.map(async ({ browser, chosen, body }) => {
      const { status } = await browser.request('POST', '/api/login/second-factor', body)
      return { status, chosen, browser }
    }),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  for (const { status, chosen, browser } of answers) {
    const code = (await tryPassword(server.visitor(), member, chosen)).body.code
    expect(code).toBe(status === 200 ? 'SECOND_FACTOR_REQUIRED' : 'WRONG_CREDENTIALS')
    expect((await browser.request('GET', '/api/user')).status).toBe(status)
  }
  expect((await actionsOf(member)).filter((action) => action === 'password_recovered')).toHaveLength(1)
})

test('nothing is changed where the entry about it cannot be written', async () => {
  const { member, app, browser } = await signUp()
  const before = await rowOf(member)
  const { ticket } = await recover(browser, member)
  const allow = await refuse(server.core.db, 'audit_log', { when: "new.action = 'password_recovered'" })
  try {
    const { status } = await browser.request('POST', '/api/login/second-factor', { ticket, code: app.code() })
    expect(status).toBe(500)
  } finally {
    await allow()
  }
  await expectUntouched(member, before)
  await browser.call(secondFactor.signIn, finish(ticket, { code: app.code() }))
  await enterPassword(server.visitor(), { ...member, password })
})
