import { limits } from '@privity/contract/limits'
import type { Translation } from '../i18n/language.ts'
import type * as english from './texts.ts'

export const coreTexts: Translation<typeof english.coreTexts> = {
  language: 'Sprache',
  loading: 'Wird geladen ...',
  stillLoading: 'Wird noch geladen: Der Server hat noch nicht geantwortet.',
  tryAgainOrReload: 'Versuchen Sie es gleich noch einmal oder laden Sie die Seite neu.',
  offline: 'Sie sind offline',
  offlineWhy: 'Privity erreicht seinen Server nicht. Die Verbindung wird automatisch wiederhergestellt.',
  offlineUntil:
    'Bis dahin können Nachrichten weder gesendet noch gelesen und Dateien weder gesendet noch geöffnet oder freigegeben werden.',
  offlineKept: 'Ihre Entwürfe und nicht gesendeten Nachrichten bleiben verschlüsselt auf diesem Gerät.',
  retry: 'Erneut versuchen',
  newVersion: 'Eine neue Version ist verfügbar',
  newVersionHint:
    'Laden Sie die Seite neu, um zu aktualisieren. Ihre Entwürfe und nicht gesendeten Nachrichten bleiben erhalten.',
  languageOffer: (name) => `${name} verwenden?`,
  later: 'Später',
  clockDiffers: 'Die Uhren von Gerät und Server weichen voneinander ab',
  clockDiffersHint: `Die Uhren dieses Geräts und des Servers gehen mehr als ${limits.clockWarning / 60_000} Minuten auseinander. Privity richtet sich nach der Zeit des Servers. Prüfen Sie Datum und Uhrzeit dieses Geräts. Wenn sie stimmen, wenden Sie sich an den Betreiber des Servers.`,
  crashed: 'Diese Ansicht konnte nicht angezeigt werden',
  crashedWhy: 'Laden Sie die Seite neu. Was Sie gesendet haben, ist davon nicht betroffen.',
  reload: 'Neu laden',
  unauthorized: 'Nicht angemeldet',
  loggedOut: 'Sie sind abgemeldet. Sie werden zur Anmeldung weitergeleitet ...',
  signedOutHere: 'Sie sind auf diesem Gerät abgemeldet',
  sessionNotEnded:
    'Der Server war nicht erreichbar, daher ist die Sitzung dort noch nicht beendet. Dieser Browser beendet sie, sobald der Server wieder erreichbar ist.',
  settingNotSaved: 'Einstellung nicht geändert',
  settingNotSavedHint: 'Es wurde nichts geändert. Versuchen Sie es erneut.',
  sessionEnded: 'Sie sind abgemeldet',
  sessionEndedHere: 'Diese Sitzung wurde beendet. Melden Sie sich erneut an, um fortzufahren.',
}

export const signOutTexts: Translation<typeof english.signOutTexts> = {
  title: 'Nicht gesendete Nachrichten verwerfen und abmelden?',
  sendings: 'Einige Nachrichten oder Dateien wurden noch nicht gesendet.',
  drafts: 'Sie haben einen Entwurf, der noch nicht gesendet wurde.',
  lost: 'Wenn Sie sich jetzt abmelden, werden nicht gesendete Inhalte verworfen.',
  confirm: 'Verwerfen und abmelden',
}

export const newPasswordTexts: Translation<typeof english.newPasswordTexts> = {
  strength: 'Stärke des Passworts',
  words: ['Sehr schwach', 'Schwach', 'Mittel', 'Gut', 'Stark'],
  tooShort: `Zu kurz: Verwenden Sie mindestens ${limits.passwordCharacters} Zeichen.`,
  errors: {
    short: `Verwenden Sie mindestens ${limits.passwordCharacters} Zeichen.`,
    weak: 'Wählen Sie ein stärkeres Passwort: Es muss mindestens als „Gut“ bewertet werden.',
    unknown: 'Die Stärke des Passworts konnte nicht geprüft werden. Versuchen Sie es erneut.',
  },
}

export const proofTexts: Translation<typeof english.proofTexts> = {
  password: 'Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  checking: 'Wird geprüft ...',
  fallback: 'Das hat nicht funktioniert. Versuchen Sie es erneut.',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint: 'Der 6-stellige Code, den sie für Privity anzeigt.',
  codeMissing: 'Geben Sie den 6-stelligen Code aus Ihrer Authenticator-App ein.',
  recoveryCode: 'Backup-Code',
  recoveryCodeHint: 'Einer der Codes, die Sie gesichert haben. Jeder gilt einmal.',
  recoveryCodeMissing: 'Geben Sie einen Ihrer Backup-Codes ein.',
  passkey: 'Ihr Browser fragt nach Ihrem Passkey: einem Sicherheitsschlüssel oder der Displaysperre dieses Geräts.',
  elsewhere: 'Ihre Passkeys gehören zu einer anderen Adresse dieses Servers und können hier nicht verwendet werden.',
  nothing:
    'Sie haben hier keine Möglichkeit mehr, Ihre Identität zu bestätigen. Wenden Sie sich an Ihre Administration.',
  use: {
    totp: 'Authenticator-App verwenden',
    passkey: 'Passkey verwenden',
    recoveryCode: 'Backup-Code verwenden',
  },
  cancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder mit einer anderen Methode.',
  unsupported: 'Dieser Browser kann keine Passkeys verwenden.',
  existing: 'Dieser Passkey ist bereits registriert.',
}

export const legalTexts: Translation<typeof english.legalTexts> = {
  legal: 'Rechtliches',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  threatModel: 'Bedrohungsmodell',
  toLanding: 'Zurück zur Startseite',
  toApplication: 'Zurück zu Ihren Gesprächen',
}
