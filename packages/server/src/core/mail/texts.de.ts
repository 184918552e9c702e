import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import type { AccountChange } from '@privity/contract/notifications'
import type { EmailTexts } from './texts.ts'

const timeFormat = new Intl.DateTimeFormat('de-DE', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' })

const deviceName = (browser: string) =>
  browser === 'Unknown device' ? 'Unbekanntes Gerät' : browser.replace(' on ', ' unter ')

const changes: Record<AccountChange, string> = {
  password_changed: 'Das Passwort Ihres Privity-Kontos wurde geändert',
  password_recovered: 'Das Passwort Ihres Privity-Kontos wurde mit dem Konto-Wiederherstellungsschlüssel ersetzt',
  email_changed: 'Die E-Mail-Adresse Ihres Privity-Kontos wurde geändert',
  recovery_key_renewed: 'Der Konto-Wiederherstellungsschlüssel Ihres Privity-Kontos wurde ersetzt',
  keys_replaced: 'Schlüssel, Passwort und Konto-Wiederherstellungsschlüssel Ihres Privity-Kontos wurden ersetzt',
  passkey_added: 'Ihrem Privity-Konto wurde ein Passkey hinzugefügt',
  passkey_removed: 'Ein Passkey Ihres Privity-Kontos wurde entfernt',
  totp_added: 'Ihrem Privity-Konto wurde eine Authenticator-App hinzugefügt',
  totp_replaced: 'Die Authenticator-App Ihres Privity-Kontos wurde ersetzt',
  totp_removed: 'Die Authenticator-App Ihres Privity-Kontos wurde entfernt',
  second_factor_switched_off: 'Die Zwei-Faktor-Authentifizierung Ihres Privity-Kontos wurde ausgeschaltet',
  recovery_codes_renewed: 'Die Backup-Codes Ihres Privity-Kontos wurden ersetzt',
  only_approved_on: 'Nur noch genehmigte Browser öffnen die Nachrichten Ihres Privity-Kontos',
  only_approved_off: 'Jeder angemeldete Browser öffnet wieder die Nachrichten Ihres Privity-Kontos',
  browser_approved: 'Für Ihr Privity-Konto wurde ein Browser genehmigt',
  browser_removed: 'Ein Browser Ihres Privity-Kontos wurde entfernt',
  session_shared: 'Ein weiterer Browser verwendet eine Sitzung Ihres Privity-Kontos',
  login_notifications_off: 'Die Benachrichtigungen über Anmeldungen an Ihrem Privity-Konto wurden ausgeschaltet',
}

const withNewKeys = 'mit „Mein Konto könnte kompromittiert sein“'

const stolenCredentials = `kennt jemand Ihr Passwort oder Ihren Konto-Wiederherstellungsschlüssel: Melden Sie sich an,
beenden Sie diese Sitzung unter Kontoeinstellungen, ändern Sie Ihr Passwort
${withNewKeys}, womit Sie auch einen neuen Konto-Wiederherstellungsschlüssel
erhalten, und legen Sie einen neuen zweiten Faktor fest. Wenn Sie sich nicht anmelden können, verwenden Sie Ihren
Konto-Wiederherstellungsschlüssel oder bitten Sie die Administration Ihrer Organisation um Hilfe.`

const stolenSession = `verwendet jemand eine Ihrer Sitzungen: Melden Sie sich an, beenden Sie diese Sitzung unter
Kontoeinstellungen, ändern Sie Ihr Passwort und schalten Sie die Benachrichtigungen über Anmeldungen unter Datenschutz
und Sicherheit wieder ein.`

const ifNotYou = (needsNoPassword: boolean) =>
  `Wenn Sie das waren, können Sie diese E-Mail ignorieren. Wenn nicht, ${needsNoPassword ? stolenSession : stolenCredentials}`

const sharedSession = `Wenn Sie die Daten Ihres Browsers gelöscht haben, können Sie diese E-Mail ignorieren. Wenn nicht, verwendet
vielleicht jemand eine Kopie davon: Melden Sie sich an, entfernen Sie unter Kontoeinstellungen, Ihre Browser, den
Browser, den Sie nicht kennen, und ändern Sie Ihr Passwort ${withNewKeys}.`

export const germanEmails: EmailTexts = {
  signIn({ browser, address, isNew, failures, at }) {
    const failed = failures === 1 ? '1 Anmeldung' : `${failures} Anmeldungen`
    const before = failures === 0 ? '' : `Fehlgeschlagen: ${failed} seit der vorigen Anmeldung\n`
    const from = isNew ? 'in einem neuen Browser' : 'nach fehlgeschlagenen Anmeldungen von anderen Adressen'
    return {
      subject: isNew
        ? 'Neue Anmeldung an Ihrem Privity-Konto'
        : 'Anmeldung an Ihrem Privity-Konto nach fehlgeschlagenen Versuchen',
      text: `An Ihrem Konto hat sich jemand ${from} angemeldet.

Browser: ${deviceName(browser)}
Adresse: ${address}
Zeit:    ${timeFormat.format(at)}
${before}
Wenn Sie das waren, können Sie diese E-Mail ignorieren. Wenn nicht, melden Sie sich an, beenden Sie diese Sitzung
unter Kontoeinstellungen und ändern Sie Ihr Passwort ${withNewKeys}. Diese
E-Mails können Sie in Privity unter Datenschutz und Sicherheit, Benachrichtigungen über Anmeldungen, ausschalten.
`,
    }
  },

  accountLocked: ({ failures, address, at }) => ({
    subject: 'Ihr Privity-Konto wurde gesperrt',
    text: `Ihr Privity-Konto wurde nach fehlgeschlagenen Anmeldungen für ${durationWords(limits.lockTime, 'de')} gesperrt.

Fehlgeschlagen: ${failures} Versuche
Adresse:        ${address}, die des letzten
Zeit:           ${timeFormat.format(at)}

Für Browser, in denen Sie schon angemeldet waren, wird getrennt gezählt; andere können sie nicht sperren. Wenn diese
Versuche nicht von Ihnen stammen, ist nichts zu tun, solange niemand sonst Ihr Passwort kennt. Die
Zwei-Faktor-Authentifizierung unter Datenschutz und Sicherheit schützt das Konto auch dann.
`,
  }),

  accountChanged: ({ change, browser, address, at, needsNoPassword }) => ({
    subject: changes[change],
    text: `${changes[change]}.

Browser: ${deviceName(browser)}
Adresse: ${address}
Zeit:    ${timeFormat.format(at)}

${change === 'session_shared' ? sharedSession : ifNotYou(needsNoPassword)}
`,
  }),

  secondFactorReset: (at) => ({
    subject: 'Der zweite Faktor Ihres Privity-Kontos wurde entfernt',
    text: `Die Administration Ihrer Organisation hat die zweiten Faktoren Ihres Kontos entfernt.

Zeit: ${timeFormat.format(at)}

Sie sind überall abgemeldet und können sich jetzt allein mit Ihrem Passwort anmelden. Richten Sie in Privity unter
Datenschutz und Sicherheit einen zweiten Faktor ein. Wenn Sie nicht darum gebeten haben, ändern Sie Ihr Passwort und
wenden Sie sich an Ihre Organisation.
`,
  }),

  dataExported: ({ address, at }) => ({
    subject: 'Ihr Datenexport aus Privity',
    text: `In einem Browser, der an Ihrem Konto angemeldet ist, wurde ein Export Ihrer Daten erstellt.

Adresse: ${address}
Zeit:    ${timeFormat.format(at)}

Der Browser hat ihn als eine ZIP-Datei gespeichert; sie liegt nicht bei, und der Server hat keine Kopie davon. Wenn
Sie das nicht waren, melden Sie sich an, beenden Sie die anderen Sitzungen unter Kontoeinstellungen und ändern Sie Ihr
Passwort ${withNewKeys}.
`,
  }),

  messageWaiting: (lead) => ({
    subject: `Sie haben in Privity eine Nachricht, die in ${durationWords(lead, 'de')} verschwindet`,
    text: `In Privity verschwindet in ${durationWords(lead, 'de')} eine Nachricht, die Sie noch nicht gelesen haben.
Melden Sie sich an, um sie zu lesen.

Sie erhalten keine weitere E-Mail über ungelesene Nachrichten, bevor Sie wieder in Privity waren. Diese E-Mails können
Sie in Privity unter Einstellungen, Benachrichtigungen per E-Mail, ausschalten.
`,
  }),
}
