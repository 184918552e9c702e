import { account as accountCalls } from '@privity/contract/account'
import { rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { createMailServer, type Delivered, lettersOf, type MailServer } from '../../support/services/mailServer.ts'
import { prefer } from '../../support/scenes/preferences.ts'

async function signIn(server: TestServer, { user, password }: Member, browser = server.visitor()): Promise<Caller> {
  await browser.call(session.login, { body: { username: user.username, password } })
  return browser
}

const told = async (browser: Caller) => {
  const { body } = await browser.request('GET', '/api/notifications')
  const { notifications } = body as { notifications: { kind: string; read: boolean; address: string }[] }
  return notifications.filter(({ kind }) => kind === 'signed_in')
}

const lettersToVictims = async (server: TestServer, mail: MailServer) =>
  (await lettersOf(server, mail)).filter(({ to }) => /^victim/i.test(to[0] ?? ''))

const mailTo = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'privity@example.com' })

test('on: another browser is told to the sessions that are open, at once and in the list', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const socket = await member.socket()
  const other = await signIn(server, member)
  expect((await socket.next('notification')).notification).toMatchObject({ kind: 'signed_in', address: other.address })
  expect(await told(member)).toMatchObject([{ read: false, address: other.address }])
  // The browser that has just signed in is not notified.
  expect(await told(other)).toMatchObject([{ read: true }])
})

test('a browser the account knows is not announced as news', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const other = await signIn(server, member)
  await other.call(session.logout, {})
  await server.advance(1_000)
  await signIn(server, member, other)
  expect((await told(member)).map(({ read }) => read)).toEqual([true, false])
})

test('off: nothing is told, in no list and to no socket', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const member = await server.signUp()
  await prefer(member, { loginNotifications: false })
  const socket = await member.socket()
  await signIn(server, member)
  await socket.settled()
  expect(socket.frames.filter(({ type }) => type === 'notification')).toEqual([])
  expect(await told(member)).toEqual([])
  await prefer(member, { loginNotifications: true })
  await signIn(server, member)
  const letters = (await lettersOf(server, mail)).map(({ source }) => /^Subject: (.*)/m.exec(source)?.[1])
  expect(await told(member)).toHaveLength(1)
  expect(letters).toEqual([expect.stringContaining('Login notifications'), expect.stringContaining('New sign-in')])
})

test('the letter counts one failed sign-in in the singular', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const member = await server.signUp()
  await server.advance(1_000)
  const wrong = { username: member.user.username, password: 'wrong' }
  await server
    .visitor()
    .call(session.login, { body: wrong })
    .catch(() => {})
  await signIn(server, member)
  await mail.seen(1)
  expect(mail.delivered[0]?.source).toContain('Failed:  1 sign-in since')
})

test('a new browser is told by mail too, a known one is not', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const member = await server.signUp()
  const other = await signIn(server, member)
  await mail.seen(1)
  expect(mail.delivered[0]).toMatchObject({ to: [member.user.email] })
  expect(mail.delivered[0]?.source).toContain('New sign-in to your Privity account')
  expect(mail.delivered[0]?.source).toContain(other.address)
  await signIn(server, member, other)
  await signIn(server, member)
  await mail.seen(2)
  expect(mail.delivered).toHaveLength(2)
})

test('who signs in cannot switch it off beforehand: it holds what was set before', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const other = await signIn(server, member)
  await prefer({ ...member, ...other }, { loginNotifications: false })
  expect(await told(member)).toHaveLength(1)
})

test('of more than 20 browsers the account knows those that it was used in last', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const others: Caller[] = []
  for (let at = 0; at < 20; at++) {
    server.clock.advance(1_000)
    others.push(await signIn(server, member))
  }
  const isNewsIn = async (browser: Caller) => {
    await browser.call(session.logout, {})
    server.clock.advance(1_000)
    await signIn(server, member, browser)
    const [newest] = await told(others[5] as Caller)
    return newest?.read === false
  }
  expect(await isNewsIn(others.at(-1) as Caller)).toBe(false)
  expect(await isNewsIn(member)).toBe(true)
})

test('emails about new browsers are limited per hour; the list of notifications is complete', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const member = await server.signUp()
  const { requests, window } = rateLimits.mailboxEmail
  for (let at = 0; at < requests + 3; at++) await signIn(server, member)
  await mail.seen(requests)
  expect(await told(member)).toHaveLength(requests + 3)
  await server.advance(window)
  await signIn(server, member)
  await mail.seen(requests + 1)
  expect(mail.delivered).toHaveLength(requests + 1)
})

test('accounts with one address after the other flood nobody with letters about sign-ins', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const { requests } = rateLimits.mailboxEmail
  for (let account = 0; account < 3; account++) {
    const member = await server.signUp()
    const { firstName, lastName } = member.user
    const { password } = member
    const email = account % 2 === 0 ? 'victim@example.com' : 'Victim@Example.com'
    const profile = { firstName, lastName, email, password }
    await member.call(accountCalls.updateProfile, { body: profile })
    for (let at = 0; at < requests / 2; at++) await signIn(server, member)
    await member.call(accountCalls.updateProfile, { body: { ...profile, email: `else${account}@example.com` } })
  }
  const letters = await lettersToVictims(server, mail)
  expect(letters.filter(({ source }) => !source.includes('email address of your Privity'))).toHaveLength(requests)
})

test('a mailbox is one, whatever case or plus-tag accounts give its address', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const { requests } = rateLimits.mailboxEmail
  for (const email of ['victim@example.com', 'victim+a@example.com', 'Victim+B+c@Example.com']) {
    const member = await server.signUp()
    const { firstName, lastName } = member.user
    await member.call(accountCalls.updateProfile, { body: { firstName, lastName, email, password: member.password } })
    for (let at = 0; at < requests / 2; at++) await signIn(server, member)
  }
  expect(await lettersToVictims(server, mail)).toHaveLength(requests)
})

test('one account causes so many letters in an hour, to however many mailboxes', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: mailTo(mail.url) })
  const member = await server.signUp()
  const { firstName, lastName } = member.user
  const { requests } = rateLimits.accountEmail
  const isChange = ({ source }: Delivered) => source.includes('email address of your Privity')
  for (let at = 0; at < requests + 3; at++) {
    const email = `victim${at}@example.com`
    await member.call(accountCalls.updateProfile, { body: { firstName, lastName, email, password: member.password } })
    await signIn(server, member)
  }
  const letters = await lettersOf(server, mail)
  expect(letters.filter(isChange)).toHaveLength(1 + rateLimits.changeEmail.requests)
  expect(letters.filter((letter) => !isChange(letter))).toHaveLength(requests)
})

test('failures before a sign-in on a shared computer are told once', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { username } = member.user
  await server.advance(1_000)
  await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
  for (let i = 0; i < 2; i++) {
    await server.advance(1_000)
    const body = { username, password: member.password, sharedComputer: true }
    await server.visitor().call(session.login, { body })
  }
  expect(await told(member)).toMatchObject([{ failures: 0 }, { failures: 1 }])
})

test('no failure before a new password is told after it, though its browser keeps no id', async () => {
  await using server = await createTestServer()
  const member = await server.signUp('newPassword', { keys: false })
  const { username } = member.user
  await server.advance(1_000)
  await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
  const shared = server.visitor()
  await shared.call(session.login, { body: { username, password: member.password, sharedComputer: true } })
  const passwords = { currentPassword: member.password, newPassword: 'another password', passwordVersion: 1 }
  await shared.call(accountCalls.changePassword, { body: passwords })
  await server.advance(1_000)
  await server.visitor().call(session.login, { body: { username, password: 'another password' } })
  expect((await told(shared))[0]).toMatchObject({ failures: 0 })
})
