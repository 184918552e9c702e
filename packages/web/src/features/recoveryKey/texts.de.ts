import type { Translation } from '../../i18n/language.ts'
import type { recoveryKeyTexts as english } from './texts.ts'

export const recoveryKeyTexts: Translation<typeof english> = {
  page: 'Wiederherstellungsschlüssel sichern',
  title: 'Wiederherstellungs\u00adschlüssel sichern',
  lead: 'Er wird einmal angezeigt. Mit ihm können Sie ein neues Passwort festlegen, wenn Sie Ihres vergessen; niemand sonst kann das, auch wir nicht. Bewahren Sie ihn bei Ihren wichtigen Unterlagen auf, nicht in diesem Browser.',
  keyLabel: 'Wiederherstellungsschlüssel',
  copy: 'Kopieren',
  copied: 'Kopiert!',
  copiedToast: 'Wiederherstellungsschlüssel in die Zwischenablage kopiert',
  copyFailed: 'Der Schlüssel konnte nicht kopiert werden',
  copyFailedWhy: 'Laden Sie ihn herunter oder schreiben Sie ihn auf.',
  download: 'Herunterladen',
  fileName: (username) => `privity-wiederherstellungsschluessel-${username}.txt`,
  file: (username, key) =>
    `Privity: Wiederherstellungsschlüssel von ${username}\n\n${key}\n\nWer diesen Schlüssel und Ihren Benutzernamen hat, kann für Ihr Konto ein neues Passwort festlegen.\nBewahren Sie ihn sicher und getrennt von Ihren Geräten auf.\n`,
  saved: 'Ich habe ihn gesichert',
  savedHint: 'Setzen Sie das Häkchen, sobald der Schlüssel an einem sicheren Ort ist.',
  proceed: 'Weiter',
  notConfirmed: 'Nicht bestätigt',
  notConfirmedWhy: 'Ihre Bestätigung konnte nicht an den Server gesendet werden. Versuchen Sie es erneut.',
  unsaved:
    'Sie haben nicht bestätigt, dass Sie Ihren Wiederherstellungsschlüssel gesichert haben. Sie brauchen ihn, um ein neues Passwort festzulegen, wenn Sie Ihres vergessen.',
  makeNew: 'Neuen Wiederherstellungsschlüssel erstellen',
}
