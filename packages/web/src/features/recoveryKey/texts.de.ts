import type { Translation } from '../../i18n/language.ts'
import type { recoveryKeyTexts as english } from './texts.ts'

export const recoveryKeyTexts: Translation<typeof english> = {
  page: 'Konto-Wiederherstellungsschlüssel sichern',
  title: 'Konto-Wiederherstellungs\u00adschlüssel sichern',
  lead: 'Er wird einmal angezeigt. Mit ihm können Sie ein neues Passwort festlegen, wenn Sie Ihres vergessen; niemand sonst kann das, auch wir nicht. Bewahren Sie ihn bei Ihren wichtigen Unterlagen auf, nicht in diesem Browser.',
  keyLabel: 'Konto-Wiederherstellungsschlüssel',
  copy: 'Kopieren',
  copied: 'Kopiert!',
  copiedToast: 'Konto-Wiederherstellungsschlüssel in die Zwischenablage kopiert',
  copyFailed: 'Der Schlüssel konnte nicht kopiert werden',
  copyFailedWhy: 'Laden Sie ihn herunter, drucken Sie ihn oder schreiben Sie ihn auf.',
  download: 'Herunterladen',
  print: 'Drucken',
  fileName: (username) => `privity-konto-wiederherstellungsschluessel-${username}.txt`,
  file: (username, key) =>
    `Privity: Konto-Wiederherstellungsschlüssel von ${username}\n\n${key}\n\nWer diesen Schlüssel und Ihren Benutzernamen hat, kann für Ihr Konto ein neues Passwort festlegen.\nBewahren Sie ihn sicher und getrennt von Ihren Geräten auf.\n`,
  saved: 'Ich habe ihn gesichert',
  savedHint: 'Fahren Sie fort, sobald der Schlüssel an einem sicheren Ort ist. Dann wird eine Gruppe davon abgefragt.',
  group: (group) => `Gruppe ${group} Ihres Konto-Wiederherstellungsschlüssels`,
  groupHint: 'Lesen Sie sie von Ihrer Kopie ab.',
  groupWrong: (group) =>
    `Das ist nicht Gruppe ${group}. Vergleichen Sie mit Ihrer Kopie, oder zeigen Sie den Schlüssel erneut an.`,
  showAgain: 'Schlüssel erneut anzeigen',
  proceed: 'Weiter',
  notConfirmed: 'Nicht bestätigt',
  notConfirmedWhy: 'Ihre Bestätigung konnte nicht an den Server gesendet werden. Versuchen Sie es erneut.',
  unsaved:
    'Sie haben nicht bestätigt, dass Sie Ihren Konto-Wiederherstellungsschlüssel gesichert haben. Sie brauchen ihn, um ein neues Passwort festzulegen, wenn Sie Ihres vergessen.',
  makeNew: 'Neuen Konto-Wiederherstellungsschlüssel erstellen',
}
