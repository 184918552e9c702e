import type { Translation } from '../../i18n/language.ts'
import type { recoveryKeyTexts as english } from './texts.ts'

export const recoveryKeyTexts: Translation<typeof english> = {
  page: 'Wiederherstellungsschlüssel sichern',
  title: 'Wiederherstellungs\u00adschlüssel sichern',
  lead: 'Er wird einmal angezeigt. Mit ihm setzen Sie ein neues Passwort, wenn Sie Ihres vergessen; niemand sonst kann das, auch wir nicht. Bewahren Sie ihn bei Ihren Urkunden auf, nicht in diesem Browser.',
  keyLabel: 'Wiederherstellungsschlüssel',
  copy: 'Kopieren',
  copied: 'Kopiert!',
  copiedToast: 'Wiederherstellungsschlüssel in die Zwischenablage kopiert',
  copyFailed: 'Der Schlüssel konnte nicht kopiert werden',
  copyFailedWhy: 'Laden Sie ihn herunter oder schreiben Sie ihn auf.',
  download: 'Herunterladen',
  fileName: (username) => `privity-wiederherstellungsschluessel-${username}.txt`,
  file: (username, key) =>
    `Privity: Wiederherstellungsschlüssel von ${username}\n\n${key}\n\nWer diesen Schlüssel und Ihren Benutzernamen hat, kann für Ihr Konto ein neues Passwort setzen.\nBewahren Sie ihn sicher und getrennt von Ihren Geräten auf.\n`,
  saved: 'Ich habe ihn gesichert',
  savedHint: 'Setzen Sie das Häkchen, sobald der Schlüssel an einem sicheren Ort ist.',
  proceed: 'Weiter',
  notConfirmed: 'Nicht bestätigt',
  notConfirmedWhy:
    'Dem Server konnte nicht mitgeteilt werden, dass der Schlüssel gesichert ist. Versuchen Sie es erneut.',
  unsaved:
    'Sie haben nicht bestätigt, dass Sie Ihren Wiederherstellungsschlüssel gesichert haben. Mit ihm setzen Sie ein neues Passwort, wenn Sie Ihres vergessen.',
  makeNew: 'Neuen Wiederherstellungsschlüssel anlegen',
}
