import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { push } from '@privity/contract/push'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTalk } from '../../support/scenes/conversation.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import { subscribe } from '../../support/scenes/pushes.ts'
import { expireSoon } from '../../support/scenes/reminders.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createMailServer, lettersOf, type MailServer } from '../../support/services/mailServer.ts'

let mail: MailServer
let server: TestServer
beforeAll(async () => {
  mail = await createMailServer()
  server = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

/** A conversation whose Ben wants emails and has an unread message. */
async function createWaiting() {
  const talk = await createTalk(server)
  await prefer(talk.ben, { emailNotifications: true })
  await talk.send(talk.anna)
  return talk
}

const remindersTo = async ({ user }: Member) =>
  (await lettersOf(server, mail)).filter(
    ({ to, source }) => to.includes(user.email) && source.includes('that disappears in'),
  )

const signIn = ({ user, password }: Member) =>
  server.visitor().call(session.login, { body: { username: user.username, password } })

test('a member who wants it is mailed 8 hours before a message disappears unread', async () => {
  const { ben } = await createWaiting()
  await server.advance(limits.retention - limits.reminderLead - 60_000)
  expect(await remindersTo(ben)).toEqual([])
  await server.advance(120_000)
  expect(await remindersTo(ben)).toHaveLength(1)
})

test('the email names no sender and has no content', async () => {
  const talk = await createWaiting()
  await expireSoon(server, talk)
  const [letter] = await remindersTo(talk.ben)
  const { firstName, lastName, username, email } = talk.anna.user
  for (const word of [firstName, lastName, username, email, talk.connection.id])
    expect(letter?.source).not.toContain(word)
  expect(letter?.source).toContain('You have a message in Privity that disappears in 8 hours')
})

test('nobody is mailed who has not switched it on', async () => {
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toEqual([])
  expect(await remindersTo(talk.anna)).toEqual([])
})

test('a message that was read is not announced', async () => {
  const talk = await createWaiting()
  await talk.ben.call(messages.markRead, { params: { id: talk.connection.id } })
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toEqual([])
})

test('once until the member is back', async () => {
  const talk = await createWaiting()
  await expireSoon(server, talk)
  await talk.send(talk.anna)
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toHaveLength(1)
  await signIn(talk.ben)
  await talk.send(talk.anna)
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toHaveLength(2)
})

test('nobody with push notifications is mailed', async () => {
  const talk = await createWaiting()
  await subscribe(talk.ben)
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toEqual([])
  await talk.ben.call(push.unsubscribe, {})
  await talk.send(talk.anna)
  await expireSoon(server, talk)
  expect(await remindersTo(talk.ben)).toHaveLength(1)
})

test('a message is announced after a restart, and once', async () => {
  const talk = await createWaiting()
  await server.app.close()
  server.clock.advance(limits.retention - limits.reminderLead + 60_000)
  await server.start()
  expect(await remindersTo(talk.ben)).toHaveLength(1)
  await server.restart()
  await server.advance(60_000)
  expect(await remindersTo(talk.ben)).toHaveLength(1)
})

test('where messages live for 30 minutes, it is 10 minutes before', async () => {
  await using short = await createTestServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com', MESSAGE_RETENTION: '30m' },
  })
  const { anna, ben, send } = await createTalk(short)
  await prefer(ben, { emailNotifications: true })
  await send(anna)
  await short.advance(21 * 60_000)
  const letters = (await lettersOf(short, mail)).filter(({ to }) => to.includes(ben.user.email))
  expect(letters.map(({ source }) => source).join('')).toContain('disappears in 10 minutes')
})
