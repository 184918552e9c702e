import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { recovery } from '@privity/contract/recovery'
import { secondFactor, type SecondFactorNeeded } from '@privity/contract/secondFactor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createMailServer } from '../../support/services/mailServer.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { prefer, setPolicy } from '../../support/scenes/preferences.ts'
import { type App, addPasskey, codeFrom, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const many = { requests: 100_000, window: 1000 }
const options = { rateLimits: { signUp: many, signIn: many, other: many } }
let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options })
})
afterAll(() => server.close())

const expired = { status: 409, body: { code: 'SETUP_EXPIRED' } }

/** Whether a sign-in succeeds with this second factor. */
async function signsIn(member: Member, proof: { code: string } | { recoveryCode: string }): Promise<boolean> {
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  return (await browser.request('POST', '/api/login/second-factor', { ticket, ...proof })).status === 200
}

/** Starts the setup of a new app, and resolves with its secret; the current one stays in force. */
async function begin({ call, password }: Member, proof: { code: string } | { recoveryCode: string }): Promise<string> {
  return (await call(secondFactor.startTotp, { body: { password, ...proof } })).secret
}

const confirm = (secret: string) => ({ body: { code: codeFrom(server, secret) } })

async function replace(member: Member, app: App): Promise<string> {
  const secret = await begin(member, { code: app.code() })
  await member.call(secondFactor.confirmTotp, confirm(secret))
  await server.advance(60_000)
  return secret
}

test('the app in use works until the new one has shown a code, and then no more', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const since = (await member.call(secondFactor.state, {})).totp?.since
  const secret = await begin(member, { code: app.code() })
  await server.advance(60_000)
  expect(await signsIn(member, { code: codeFrom(server, secret) })).toBe(false)
  expect(await signsIn(member, { code: app.code() })).toBe(true)
  const notOfTheNew = await member.refused(secondFactor.confirmTotp, { body: { code: app.code() } })
  expect(notOfTheNew.body.code).toBe('SECOND_FACTOR_WRONG')
  expect(await member.call(secondFactor.state, {})).toMatchObject({ on: true, totp: { since } })

  const { state, recoveryCodes } = await member.call(secondFactor.confirmTotp, confirm(secret))
  expect(recoveryCodes).toBeUndefined()
  expect(state).toMatchObject({ totp: { since: server.clock.now() }, recoveryCodesLeft: limits.recoveryCodes })
  expect(await signsIn(member, { code: codeFrom(server, secret) })).toBe(false)
  await server.advance(60_000)
  expect(await signsIn(member, { code: app.code() })).toBe(false)
  expect(await signsIn(member, { code: codeFrom(server, secret) })).toBe(true)
  expect(await signsIn(member, { recoveryCode: app.recoveryCodes[0] as string })).toBe(true)
})

test('it takes the password and a second factor that is on, in the session that began', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { password } = member
  const start = async (body: { password: string; code?: string }) =>
    (await member.refused(secondFactor.startTotp, { body })).body.code
  expect(await start({ password })).toBe('SECOND_FACTOR_REQUIRED')
  expect(await start({ password, code: app.wrong() })).toBe('SECOND_FACTOR_WRONG')
  expect(await start({ password: 'not it', code: app.code() })).toBe('WRONG_PASSWORD')
  expect(await member.refused(secondFactor.confirmTotp, { body: { code: '123456' } })).toMatchObject(expired)

  const secret = await begin(member, { recoveryCode: app.recoveryCodes[0] as string })
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  await browser.call(secondFactor.signIn, { body: { ticket, code: app.code() } })
  expect(await browser.refused(secondFactor.confirmTotp, confirm(secret))).toMatchObject(expired)
  await server.advance(limits.totpSetupTime)
  expect(await member.refused(secondFactor.confirmTotp, confirm(secret))).toMatchObject(expired)
  expect(await signsIn(member, { code: app.code() })).toBe(true)
})

test('asked twice at once it happens once, and a second beginning is the one that counts', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const abandoned = await begin(member, { code: app.code() })
  const secret = await begin(member, { recoveryCode: app.recoveryCodes[0] as string })
  expect((await member.refused(secondFactor.confirmTotp, confirm(abandoned))).body.code).toBe('SECOND_FACTOR_WRONG')
  const { body } = confirm(secret)
  const answers = await Promise.all(
    [1, 2, 3].map(() => member.request('POST', '/api/second-factor/totp/confirmation', body)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const entries = await server.core.db.read.all(
    "select 1 from audit_log where action = 'totp_replaced' and actor_id = ?",
    [member.user.id],
  )
  expect(entries).toHaveLength(1)
})

test('what was begun with a factor that is gone since comes to nothing', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const { id } = await addPasskey(server, member, { code: app.code() })
  const secret = await begin(member, { recoveryCode: app.recoveryCodes[0] as string })
  await server.advance(60_000)
  const { password } = member
  await member.call(secondFactor.removePasskey, { params: { id }, body: { password, code: app.code() } })
  expect(await member.refused(secondFactor.confirmTotp, confirm(secret))).toMatchObject(expired)

  const again = await begin(member, { recoveryCode: app.recoveryCodes[1] as string })
  await server.advance(60_000)
  await member.call(secondFactor.remove, { body: { what: 'everything', password, code: app.code() } })
  expect(await member.refused(secondFactor.confirmTotp, confirm(again))).toMatchObject(expired)
  expect((await member.call(secondFactor.state, {})).on).toBe(false)
})

test('a recovery that awaits the old app ends with it; a sign-in continues with the new app', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const [recovering, signingIn] = [server.visitor(), server.visitor()]
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof ?? '' }
  const body = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  const waiting = (await recovering.refused(recovery.finish, { body })).body.details as SecondFactorNeeded
  const { ticket } = await enterPassword(signingIn, member)
  const secret = await begin(member, { code: app.code() })
  await member.call(secondFactor.confirmTotp, confirm(secret))
  await server.advance(30_000)
  const code = codeFrom(server, secret)
  const ended = await recovering.refused(secondFactor.signIn, { body: { ticket: waiting.ticket, code } })
  expect(ended.body.code).toBe('TICKET_INVALID')
  await signingIn.call(secondFactor.signIn, { body: { ticket, code } })
})

test('where the organization requires a second factor, the only app can be replaced', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  await setPolicy(server, { twoFactor: true })
  const secret = await replace(member, app)
  expect(await signsIn(member, { code: codeFrom(server, secret) })).toBe(true)
  await setPolicy(server, {})
})

test('it is logged as entry and event, and the owner is notified in all other browsers', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  const { ticket } = await enterPassword(browser, member)
  await browser.call(secondFactor.signIn, { body: { ticket, recoveryCode: app.recoveryCodes[0] as string } })
  const secret = await begin(member, { code: app.code() })
  const { id } = member.user
  const [here, elsewhere] = [await member.socket(), await connectSocket(server.url, browser, id)]
  await member.call(secondFactor.confirmTotp, confirm(secret))

  const change = 'totp_replaced'
  const isIt = (told: object) => 'change' in told && told.change === change
  const unread = { kind: 'account_changed', change, read: false, current: false, address: member.address }
  expect((await elsewhere.next('notification')).notification).toMatchObject(unread)
  await here.next('notifications_changed')
  await here.settled()
  expect(here.frames.filter(({ type }) => type === 'notification')).toEqual([])
  const listOf = (caller: typeof browser) => caller.call(notifications.list, { query: {} })
  expect((await listOf(browser)).notifications.find(isIt)).toMatchObject(unread)
  expect((await listOf(member)).notifications.find(isIt)).toMatchObject({ current: true, read: true })

  const { read } = server.core.db
  const [entry] = await read.all("select target_id from audit_log where action = 'totp_replaced' and actor_id = ?", [
    id,
  ])
  expect(entry).toEqual({ target_id: id })
  const [event] = await read.all("select user_id from security_events where event_type = 'totp_replaced'", [])
  expect(event).toBeDefined()
  elsewhere.close()
})

test('an email reports it regardless of preferences, and the old secret leaves the disk', async () => {
  await using mail = await createMailServer()
  await using own = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
  const member = await own.signUp()
  await prefer(member, { loginNotifications: false })
  const app = await enableTotp(own, member)
  const old = await own.core.db.read.get<{ secret: string }>('select secret from authenticator_apps', [])
  const onDisk = async () => (await storedBytes(own.dataDir)).includes(old?.secret ?? '')
  expect(await onDisk()).toBe(true)
  const { password } = member
  const { secret } = await member.call(secondFactor.startTotp, { body: { password, code: app.code() } })
  await member.call(secondFactor.confirmTotp, { body: { code: codeFrom(own, secret) } })
  // The emails about the changed preferences and the first app come before it.
  await mail.seen(3)
  expect(mail.delivered[2]?.to).toEqual([member.user.email])
  expect(mail.delivered[2]?.source).toContain('The authenticator app of your Privity account was replaced.')
  await own.advance(60_000)
  expect(await onDisk()).toBe(false)
})
