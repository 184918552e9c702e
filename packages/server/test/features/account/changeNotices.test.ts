import { account } from '@privity/contract/account'
import { browsers } from '@privity/contract/browsers'
import { limits, rateLimits } from '@privity/contract/limits'
import { notifications, type Notification } from '@privity/contract/notifications'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { holdNext } from '../../support/server/gate.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createMailServer, lettersOf, type MailServer } from '../../support/services/mailServer.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import {
  approval,
  listBrowser,
  makeRemoval,
  signInElsewhere,
  switchOff,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { renewing, replaceKeys } from '../../support/scenes/keyReplacement.ts'
import { addPasskey, enableTotp } from '../../support/scenes/secondFactor.ts'

let mail: MailServer
let server: TestServer
let member: Member
beforeAll(async () => {
  mail = await createMailServer()
  server = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
})
beforeEach(async () => {
  member = await server.signUp()
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const told = async (caller: Caller) => (await caller.call(notifications.list, { query: {} })).notifications
const changesIn = (list: Notification[]) =>
  list.flatMap((each) => (each.kind === 'account_changed' ? [each.change] : []))
const lettersTo = async (address: string) =>
  (await lettersOf(server, mail))
    .filter(({ to }) => to.includes(address))
    .map(({ source }) => /^Subject: (.*(\r\n .*)*)$/m.exec(source)?.[1]?.replaceAll('\r\n', ''))

const profile = (email: string) => {
  const { firstName, lastName } = member.user
  return { firstName, lastName, email }
}
const signIn = (browser = server.visitor(), password = member.password) =>
  browser.request('POST', '/api/login', { username: member.user.username, password })

async function otherSession(): Promise<Caller> {
  const browser = server.visitor()
  await signIn(browser)
  return browser
}

describe('another email address', () => {
  test('needs the password', async () => {
    const body = profile('other@example.com')
    expect((await member.refused(account.updateProfile, { body })).body.code).toBe('PASSWORD_NEEDED')
    const wrong = await member.refused(account.updateProfile, { body: { ...body, password: 'not it' } })
    expect(wrong.body.code).toBe('WRONG_PASSWORD')
    expect((await member.call(session.getUser, {})).email).toBe(member.user.email)
    expect((await member.call(account.updateProfile, { body: { ...body, password: member.password } })).email).toBe(
      body.email,
    )
  })

  test('needs the second factor where one is on', async () => {
    const app = await enableTotp(server, member)
    await server.advance(30_000)
    const body = { ...profile('second@example.com'), password: member.password }
    expect((await member.refused(account.updateProfile, { body })).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await member.call(account.updateProfile, { body: { ...body, code: app.code() } })).email).toBe(body.email)
  })

  test('is told to the old address', async () => {
    await member.call(account.updateProfile, { body: { ...profile('new@example.com'), password: member.password } })
    expect(await lettersTo(member.user.email)).toEqual(['The email address of your Privity account was changed'])
    expect(await lettersTo('new@example.com')).toEqual([])
  })

  test('needs the password also where the stored one has changed while a name was saved', async () => {
    const { email } = member.user
    const held = holdNext(server.core.db, 'write')
    const refused = member.refused(account.updateProfile, { body: { ...profile(email), lastName: 'Newname' } })
    const body = { ...profile('moved@example.com'), password: member.password }
    await held.during(() => member.call(account.updateProfile, { body }))
    expect((await refused).body.code).toBe('PASSWORD_NEEDED')
    expect((await member.call(session.getUser, {})).email).toBe('moved@example.com')
  })

  test('is changed by the password in the call, also where the stored one has changed meanwhile', async () => {
    const change = (email: string) =>
      member.call(account.updateProfile, { body: { ...profile(email), password: member.password } })
    const { email } = member.user
    await change('there@example.com')
    const held = holdNext(server.core.db, 'write')
    const again = change('there@example.com')
    await held.during(() => change(email))
    expect((await again).email).toBe('there@example.com')
    expect((await member.call(session.getUser, {})).email).toBe('there@example.com')
  })

  test('is not asked for by another name alone', async () => {
    const body = { ...profile(member.user.email), lastName: 'Newname' }
    expect((await member.call(account.updateProfile, { body })).lastName).toBe('Newname')
  })
})

const changes: Record<string, () => Promise<unknown>> = {
  password_changed: () =>
    member.call(account.changePassword, {
      body: {
        currentPassword: member.password,
        newPassword: 'another one',
        wrappedAccountKey: wrapped(),
        identityKey: member.keys?.identityKey ?? '',
      },
    }),
  email_changed: () =>
    member.call(account.updateProfile, {
      body: { ...profile(`${member.user.username}@other.example`), password: member.password },
    }),
  recovery_key_renewed: () => member.call(account.renewRecoveryKey, { body: renewing(member) }),
  keys_replaced: () => replaceKeys(member),
  async only_approved_on() {
    await listBrowser(member)
    await switchOn(member)
  },
  async only_approved_off() {
    await listBrowser(member)
    await switchOn(member)
    await switchOff(member)
  },
  async browser_approved() {
    await listBrowser(member)
    await switchOn(member)
    const added = await signInElsewhere(server, member)
    const { browserId: id, n } = await listBrowser(added)
    await member.call(browsers.approve, { params: { id }, body: approval(member, id, n, []) })
  },
  async browser_removed() {
    const { browserId: id } = await listBrowser(await signInElsewhere(server, member))
    await member.call(browsers.remove, { params: { id }, body: makeRemoval(member, id) })
  },
  login_notifications_off: () => prefer(member, { loginNotifications: false }),
  totp_added: () => enableTotp(server, member),
  passkey_added: () => addPasskey(server, member),
  async passkey_removed() {
    const app = await enableTotp(server, member)
    const { id } = await addPasskey(server, member, { recoveryCode: app.recoveryCodes[0] as string })
    const body = { password: member.password, recoveryCode: app.recoveryCodes[1] as string }
    await member.call(secondFactor.removePasskey, { params: { id }, body })
  },
  async totp_removed() {
    const app = await enableTotp(server, member)
    const body = { what: 'totp', password: member.password, recoveryCode: app.recoveryCodes[0] as string } as const
    await member.call(secondFactor.remove, { body })
  },
}

describe.each(Object.entries(changes))('%s', (change, make) => {
  test('is told in the notifications, unread but where it was done, whatever is preferred', async () => {
    if (change !== 'login_notifications_off') await prefer(member, { loginNotifications: false })
    await make()
    const entry = (await told(member)).find((each) => 'change' in each && each.change === change)
    expect(entry).toMatchObject({ kind: 'account_changed', change, read: true, current: true })
  })

  test('is told by a letter to the mailbox of before, whatever the email switch says', async () => {
    await prefer(member, { emailNotifications: false })
    await make()
    expect(changesIn(await told(member))).toContain(change)
    const letters = (await lettersTo(member.user.email)).filter((subject) => !subject?.startsWith('New sign-in'))
    expect(letters).toHaveLength(changesIn(await told(member)).length)
  })
})

test('new keys are told once, with the password and the recovery key that they replace', async () => {
  await replaceKeys(member)
  expect(changesIn(await told(member))).toEqual(['keys_replaced'])
  expect(await lettersTo(member.user.email)).toEqual([
    'The keys, password and account recovery key of your Privity account were replaced',
  ])
})

describe('login notifications', () => {
  test('that are switched off are told once, and no more when that is said again', async () => {
    await prefer(member, { loginNotifications: false })
    await prefer(member, { loginNotifications: false, soundEnabled: false })
    expect(changesIn(await told(member))).toEqual(['login_notifications_off'])
    expect(await lettersTo(member.user.email)).toEqual([
      'Login notifications of your Privity account were switched off',
    ])
  })

  test('that are switched off by a stolen session are told as news to the other ones', async () => {
    const thief = { ...member, ...(await otherSession()) }
    await prefer(thief, { loginNotifications: false })
    const entry = (await told(member)).find(({ kind }) => kind === 'account_changed')
    expect(entry).toMatchObject({ change: 'login_notifications_off', read: false, current: false })
  })

  test('that are switched on again, and other preferences, are no such change', async () => {
    await prefer(member, { loginNotifications: false })
    await prefer(member, { loginNotifications: true, sessionTimeout: false })
    expect(changesIn(await told(member))).toEqual(['login_notifications_off'])
  })
})

test('switching login notifications off again and again uses up no letter about another change', async () => {
  const sent = 1 + rateLimits.changeEmail.requests
  for (let at = 0; at <= sent; at++) {
    await prefer(member, { loginNotifications: false })
    await prefer(member, { loginNotifications: true })
  }
  await changes['recovery_key_renewed']?.()
  const letters = await lettersTo(member.user.email)
  expect(letters).toHaveLength(sent + 1)
  expect(letters.at(-1)).toBe('The account recovery key of your Privity account was replaced')
})

test('a password replaced with the recovery key is told, and no news to the browser that did it', async () => {
  const { username } = member.user
  const proof = { username, recoveryProof: member.keys?.recoveryProof ?? '' }
  const browser = server.visitor()
  await browser.call(recovery.finish, { body: { ...proof, password: 'a new one', wrappedAccountKey: wrapped() } })
  const entry = (await told(browser)).find(({ kind }) => kind === 'account_changed')
  expect(entry).toMatchObject({ change: 'password_recovered', current: true })
  expect(await lettersTo(member.user.email)).toContain(
    'The password of your Privity account was reset with the account recovery key',
  )
})

test('a locked account is told once an hour, with how many attempts failed and from where', async () => {
  const stranger = server.visitor()
  const lock = async () => {
    for (let at = 0; at < limits.failedSignIns; at++) await signIn(stranger, 'wrong')
  }
  await lock()
  await server.advance(limits.lockTime)
  await lock()
  const locks = (await told(member)).filter(({ kind }) => kind === 'account_locked')
  expect(locks).toMatchObject([{ failures: limits.failedSignIns, address: stranger.address, read: false }])
  expect(await lettersTo(member.user.email)).toEqual(['Your Privity account was locked'])
})

test('the notices of a lock name the attempts that led to it, not those of earlier that day', async () => {
  const stranger = server.visitor()
  await signIn(stranger, 'wrong')
  await otherSession()
  await server.advance(60_000)
  for (let index = 0; index < limits.failedSignIns; index++) await signIn(stranger, 'wrong')
  const locks = (await told(member)).filter(({ kind }) => kind === 'account_locked')
  expect(locks).toMatchObject([{ failures: limits.failedSignIns }])
  const letters = (await lettersOf(server, mail)).filter(({ to }) => to.includes(member.user.email))
  expect(letters.at(-1)?.source).toContain(`Failed:  ${limits.failedSignIns} attempts`)
})

describe('a sign-in after failed attempts', () => {
  const signInFrom = async (browser: Caller) => {
    await server.advance(1_000)
    expect((await signIn(browser)).status).toBe(200)
    return (await told(member)).find(({ kind }) => kind === 'signed_in')
  }

  test('names how many failed since the sign-in before, also where the browser is known', async () => {
    const browser = server.visitor()
    await signInFrom(browser)
    await server.advance(1_000)
    for (const _ of [1, 2, 3]) await signIn(server.visitor(), 'wrong')
    expect(await signInFrom(browser)).toMatchObject({ failures: 3, read: false })
    expect(await lettersTo(member.user.email)).toEqual([
      'New sign-in to your Privity account',
      'Sign-in to your Privity account after failed attempts',
    ])
    expect(await signInFrom(browser)).toMatchObject({ failures: 0, read: true })
  })

  test('from a known browser that mistyped itself sends no letter', async () => {
    const browser = server.visitor()
    await signInFrom(browser)
    await server.advance(1_000)
    await signIn(browser, 'wrong')
    expect(await signInFrom(browser)).toMatchObject({ failures: 1, read: false })
    expect(await lettersTo(member.user.email)).toEqual(['New sign-in to your Privity account'])
  })
})
