import { limits } from '@privity/contract/limits'
import type { Translation } from '../../i18n/language.ts'
import type { notificationTexts as english } from './texts.ts'

const keptDays = limits.accountChangeKept / (24 * 60 * 60 * 1000)

export const notificationTexts: Translation<typeof english> = {
  title: 'Benachrichtigungen',
  bell: (unread) => (unread > 0 ? `Benachrichtigungen, ${unread} neu` : 'Benachrichtigungen'),
  many: '9+',
  newCount: (count) => `${count} neu`,
  markAllRead: 'Alle als gelesen markieren',
  clearAll: 'Alle löschen',
  clearQuestion: `Alle Benachrichtigungen löschen? Das lässt sich nicht rückgängig machen. Änderungen an Ihrem Konto bleiben, bis sie ${keptDays} Tage alt sind.`,
  clear: 'Löschen',
  keep: 'Abbrechen',
  older: 'Ältere anzeigen',
  close: 'Schließen',
  remove: (words) => `Entfernen: ${words}`,
  unread: 'Neu',
  loading: 'Benachrichtigungen werden geladen ...',
  none: 'Keine Benachrichtigungen',
  noneHint:
    'Neue Verbindungen, Dateianfragen, Entscheidungen, Anmeldungen, Änderungen an Ihrem Konto und geänderte Schlüssel erscheinen hier. Sie bleiben 30 Tage.',
  notLoaded: 'Die Benachrichtigungen konnten nicht geladen werden.',
  notChanged: 'Die Benachrichtigungen konnten nicht geändert werden',
  aFile: 'eine Datei',
  connected: (name) => `${name} hat sich mit Ihnen verbunden`,
  connectionRequested: (name) => `${name} möchte sich mit Ihnen verbinden`,
  connectionRequestedHint: 'Unter „Verbindungen verwalten“ können Sie annehmen oder ablehnen.',
  requested: (name, file) => `${name} fragt ${file} an`,
  approved: (name, file) => `${name} hat ${file} für Sie freigegeben`,
  denied: (name, file) => `${name} hat Ihre Anfrage zu ${file} abgelehnt`,
  revoked: (name, file) => `${name} hat die Freigabe für ${file} widerrufen`,
  keyChanged: (name) => `Der Schlüssel von ${name} hat sich geändert`,
  keyChangedHint: 'Vergleichen Sie die Sicherheitsnummern, bevor Sie etwas senden.',
  factorReset: 'Ihr zweiter Faktor wurde entfernt',
  factorResetHint: 'Die Administration hat Ihren zweiten Faktor entfernt. Bitte richten Sie einen neuen ein.',
  changed: {
    password_changed: 'Ihr Passwort wurde geändert',
    password_recovered: 'Ihr Passwort wurde mit dem Konto-Wiederherstellungsschlüssel zurückgesetzt',
    email_changed: 'Ihre E-Mail-Adresse wurde geändert',
    recovery_key_renewed: 'Ihr Konto-Wiederherstellungsschlüssel wurde ersetzt',
    keys_replaced: 'Ihre Schlüssel, Ihr Passwort und Ihr Konto-Wiederherstellungsschlüssel wurden ersetzt',
    passkey_added: 'Ein Passkey wurde hinzugefügt',
    passkey_removed: 'Ein Passkey wurde entfernt',
    totp_added: 'Eine Authenticator-App wurde hinzugefügt',
    totp_replaced: 'Ihre Authenticator-App wurde ersetzt',
    totp_removed: 'Ihre Authenticator-App wurde entfernt',
    second_factor_switched_off: 'Die Zwei-Faktor-Authentifizierung wurde ausgeschaltet',
    recovery_codes_renewed: 'Ihre Backup-Codes wurden ersetzt',
    only_approved_on: 'Nur noch genehmigte Browser öffnen Ihre Nachrichten',
    only_approved_off: 'Jeder angemeldete Browser öffnet wieder Ihre Nachrichten',
    browser_approved: 'Ein Browser wurde genehmigt',
    browser_removed: 'Ein Browser wurde entfernt',
    session_shared: 'Ein weiterer Browser verwendet eine Ihrer Sitzungen',
    login_notifications_off: 'Die Benachrichtigungen über Anmeldungen wurden ausgeschaltet',
  },
  changedHint: (device, address) =>
    `${device}, von ${address}. Wenn Sie das nicht waren, beenden Sie diese Sitzung und ändern Sie Ihr Passwort mit „Mein Konto könnte kompromittiert sein“.`,
  sharedHint: (device, address) =>
    `${device}, von ${address}. Wenn Sie die Daten Ihres Browsers nicht gelöscht haben, verwendet vielleicht jemand eine Kopie davon: Entfernen Sie den Browser, den Sie nicht kennen, und ändern Sie Ihr Passwort.`,
  locked: 'Ihr Konto wurde gesperrt',
  lockedHint: (failures, address) =>
    `Nach ${failures} fehlgeschlagenen Anmeldungen, die letzte von ${address}. Browser, in denen Sie schon angemeldet waren, sind von Versuchen anderer nicht betroffen.`,
  failedBefore: (failures) =>
    failures === 1 ? '1 fehlgeschlagene Anmeldung davor.' : `${failures} fehlgeschlagene Anmeldungen davor.`,
  signedIn: (device) => `Neue Anmeldung: ${device}`,
  signedInHint: (address) =>
    `Von ${address}. Wenn Sie das nicht waren, beenden Sie diese Sitzung und ändern Sie Ihr Passwort mit „Mein Konto könnte kompromittiert sein“.`,
  signedInHere: (address) => `Dieser Browser, von ${address}.`,
  newMessage: 'Neue Nachricht',
  newNotification: 'Neue Benachrichtigung',
  newMessageFrom: (name) => `Von ${name}`,
  product: 'Privity',
  browser: 'Browser-Benachrichtigungen',
  browserOff:
    'Lassen Sie sich über neue Nachrichten benachrichtigen, während Privity im Hintergrund ist. Inhalte werden nicht angezeigt.',
  browserOn: 'In diesem Browser eingeschaltet. Benachrichtigungen enthalten nie Inhalte.',
  browserMuted: 'Dieser Browser erlaubt sie, aber sie sind in Ihren Einstellungen ausgeschaltet.',
  browserBlocked:
    'Vom Browser blockiert. Erlauben Sie Benachrichtigungen für diese Website in der Adressleiste und laden Sie die Seite neu.',
  browserNone: 'Dieser Browser unterstützt keine Benachrichtigungen.',
  turnOn: 'Einschalten',
}
