import { account } from '@privity/contract/account'
import { rateLimits } from '@privity/contract/limits'
import { userAdministration } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createMailServer, lettersOf, type MailServer } from '../../support/services/mailServer.ts'
import { join } from '../../support/scenes/organization.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'

let mail: MailServer
let server: TestServer
beforeEach(async () => {
  mail = await createMailServer()
  server = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
})
afterEach(async () => {
  await server.close()
  await mail.close()
})

const name = { firstName: 'A', lastName: 'B' }
const emailChanged = 'The email address of your Privity account was changed'
const subjectsTo = async (address: string) =>
  (await lettersOf(server, mail))
    .filter(({ to }) => to.includes(address))
    .map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])

async function changePasswords(username: string, email: string, times: number): Promise<void> {
  const visitor = server.visitor()
  await visitor.call(session.register, { body: { username, password: 'p0', ...name, email } })
  for (let i = 0; i < times; i++)
    await visitor.call(account.changePassword, { body: { currentPassword: `p${i}`, newPassword: `p${i + 1}` } })
}

test('accounts with the same mailbox share the letters beyond the first of each', async () => {
  const { requests } = rateLimits.mailboxChangeEmail
  const addresses = ['victim+1@example.com', 'Victim+2@example.com', 'victim+3@example.com']
  for (const [index, email] of addresses.entries()) await changePasswords(`account${index}`, email, requests / 2)
  const letters = (await lettersOf(server, mail)).filter(({ to }) => /^victim\+/i.test(to[0] ?? ''))
  expect(letters).toHaveLength(addresses.length + requests)
})

test('accounts with the same mailbox do not use up the letters about a takeover', async () => {
  const victim = await server.signUp('victim')
  const { requests } = rateLimits.mailboxChangeEmail
  await changePasswords('one', 'victim+1@example.com', requests + 1)
  await changePasswords('two', 'victim+2@example.com', requests + 1)
  const password = 'of the thief'
  await prefer(victim, { loginNotifications: false })
  const replaced = { wrappedAccountKey: wrapped(), identityKey: victim.keys?.identityKey ?? '' }
  const passwords = { currentPassword: victim.password, newPassword: password }
  await victim.call(account.changePassword, { body: { ...passwords, ...replaced } })
  await victim.call(account.updateProfile, { body: { ...name, email: 'x@example.net', password } })
  expect(await subjectsTo('victim@example.com')).toEqual([
    'Login notifications of your Privity account were switched off',
    'The password of your Privity account was changed',
    emailChanged,
  ])
})

test('sign-ins do not use up the letter about another email address', async () => {
  const victim = await server.signUp('victim')
  const { requests } = rateLimits.accountEmail
  for (let i = 0; i < requests; i++)
    await server.visitor().call(session.login, { body: { username: 'victim', password: victim.password } })
  await victim.call(account.updateProfile, { body: { ...name, email: 'x@example.net', password: victim.password } })
  const subjects = await subjectsTo('victim@example.com')
  expect(subjects).toHaveLength(requests + 1)
  expect(subjects.at(-1)).toBe(emailChanged)
})

test('letters about the changes of one account are limited', async () => {
  const { requests } = rateLimits.changeEmail
  await changePasswords('busy', 'busy@example.com', requests + 2)
  expect(await subjectsTo('busy@example.com')).toHaveLength(requests + 1)
})

test('letters about removed second factors are limited with them', async () => {
  const [admin, member] = [await join(server, 'super_admin'), await server.signUp('member')]
  const { requests } = rateLimits.changeEmail
  const guaranteed = 2
  for (let i = 0; i <= requests / 2 + 1; i++) {
    await enableTotp(server, member)
    await admin.request('POST', '/api/confirmation', { password: admin.password })
    await admin.call(userAdministration.resetSecondFactor, { params: { id: member.user.id } })
    await member.call(session.login, { body: { username: 'member', password: member.password } })
  }
  const subjects = await subjectsTo('member@example.com')
  expect(subjects.filter((subject) => !subject?.startsWith('New sign-in'))).toHaveLength(requests + guaranteed)
})
