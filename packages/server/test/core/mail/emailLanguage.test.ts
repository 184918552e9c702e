import { account } from '@privity/contract/account'
import { languages } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { userAdministration } from '@privity/contract/organization'
import { privacy } from '@privity/contract/privacy'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emailTexts } from '../../../src/core/mail/memberMail.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createMailServer, lettersOf, type MailServer } from '../../support/services/mailServer.ts'
import { join } from '../../support/scenes/organization.ts'
import { allowExports, prefer } from '../../support/scenes/preferences.ts'
import { missSoon } from '../../support/scenes/reminders.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'

let mail: MailServer
let server: TestServer
let admin: Member
beforeAll(async () => {
  mail = await createMailServer()
  server = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
  admin = await join(server, 'super_admin')
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

/** Decodes an email whose text is quoted-printable. */
const decode = (source: string) =>
  Buffer.from(
    source
      .replaceAll('=\r\n', '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

async function lastLetterTo({ user }: Member): Promise<string | undefined> {
  const letters = (await lettersOf(server, mail)).filter(({ to }) => to.includes(user.email))
  return letters.map(({ source }) => decode(source)).at(-1)
}

const signIn = (member: Member, password = member.password) =>
  server.visitor().request('POST', '/api/login', { username: member.user.username, password })

const causes: Record<string, { cause: (member: Member) => Promise<unknown>; english: string; german: string }> = {
  signIn: {
    cause: (member) =>
      server.visitor().call(session.login, { body: { username: member.user.username, password: member.password } }),
    english: 'There was a sign-in to your account from a new browser.',
    german: 'An Ihrem Konto hat sich jemand in einem neuen Browser angemeldet.',
  },
  accountLocked: {
    cause: async (member) => {
      for (let i = 0; i < limits.failedSignIns; i++) await signIn(member, 'wrong')
    },
    english: 'Your Privity account was locked for 15 minutes after failed sign-ins.',
    german: 'Ihr Privity-Konto wurde nach fehlgeschlagenen Anmeldungen für 15 Minuten gesperrt.',
  },
  accountChanged: {
    cause: ({ call, password, keys }) => {
      const replaced = { wrappedAccountKey: wrapped(), identityKey: keys?.identityKey ?? '' }
      const body = { currentPassword: password, newPassword: 'another one', ...replaced }
      return call(account.changePassword, { body })
    },
    english: 'The password of your Privity account was changed.',
    german: 'Das Passwort Ihres Privity-Kontos wurde geändert.',
  },
  secondFactorReset: {
    cause: async (member) => {
      await enableTotp(server, member)
      await admin.request('POST', '/api/confirmation', { password: admin.password })
      await admin.call(userAdministration.resetSecondFactor, { params: { id: member.user.id } })
    },
    english: 'An administrator of your organization removed the second factors of your account.',
    german: 'Die Administration Ihrer Organisation hat die zweiten Faktoren Ihres Kontos entfernt.',
  },
  dataExported: {
    cause: async (member) => {
      await allowExports(member)
      await member.call(privacy.createExport, {})
    },
    english: 'An export of your data was created in a browser signed in to your account.',
    german: 'In einem Browser, der an Ihrem Konto angemeldet ist, wurde ein Export Ihrer Daten erstellt.',
  },
  messageWaiting: {
    cause: async (member) => {
      await prefer(member, { emailNotifications: true })
      await missSoon(server, member)
    },
    english: 'A message in Privity that you have not read disappears in 8 hours.',
    german: 'In Privity verschwindet in 8 Stunden eine Nachricht, die Sie noch nicht gelesen haben.',
  },
}

test('every email to members has a case here', () => {
  for (const language of languages) expect(Object.keys(emailTexts[language]).sort()).toEqual(Object.keys(causes).sort())
})

test.each(Object.entries(causes))(
  '%s is written in the language of the member',
  async (_, { cause, english, german }) => {
    const [one, other] = [await server.signUp(), await server.signUp()]
    await prefer(other, { language: 'de' })
    await cause(one)
    await cause(other)
    expect(await lastLetterTo(one)).toContain(english)
    expect(await lastLetterTo(other)).toContain(german)
  },
)

test('a German email has the time, the browser and the subject in German', () => {
  const facts = { address: '192.0.2.7', at: Date.UTC(2026, 10, 26, 9, 5), isNew: true, failures: 1 }
  const { subject, text } = emailTexts.de.signIn({ ...facts, browser: 'Firefox on Linux' })
  expect(subject).toBe('Neue Anmeldung an Ihrem Privity-Konto')
  expect(text).toContain('Browser: Firefox unter Linux\n')
  expect(text).toContain('Zeit:    Donnerstag, 26. November 2026 um 09:05:00 UTC\n')
  expect(text).toContain('Fehlgeschlagen: 1 Anmeldung seit')
  expect(emailTexts.de.signIn({ ...facts, browser: 'Unknown device' }).text).toContain('Unbekanntes Gerät')
})

test.each([
  ['en', '“I may have been compromised”'],
  ['de', '„Mein Konto könnte kompromittiert sein“'],
] as const)('letters about somebody who has got in lead to new keys: %s', (language, label) => {
  const { signIn: signedIn, accountChanged, dataExported } = emailTexts[language]
  const facts = { browser: 'Firefox', address: '10.0.0.1', at: 0 }
  const letters = [
    signedIn({ ...facts, isNew: true, failures: 0 }),
    accountChanged({ ...facts, change: 'passkey_added', needsNoPassword: false }),
    dataExported(facts),
  ]
  for (const { text } of letters) expect(text.replaceAll('\n', ' ')).toContain(label)
})
