import { limits } from '@privity/contract/limits'
import type { Translation } from '../i18n/language.ts'
import type { coreTexts as english } from './texts.ts'

export const coreTexts: Translation<typeof english> = {
  language: 'Sprache',
  loading: 'Wird geladen ...',
  offline: 'Sie sind offline',
  offlineWhy: 'Privity erreicht seinen Server nicht und macht von selbst weiter, sobald es möglich ist.',
  offlineUntil:
    'Bis dahin können Nachrichten weder gesendet noch gelesen und Dateien weder gesendet noch geöffnet oder freigegeben werden.',
  offlineKept: 'Ihre Entwürfe und die wartenden Nachrichten bleiben verschlüsselt auf diesem Gerät.',
  retry: 'Erneut versuchen',
  newVersion: 'Eine neue Version ist verfügbar',
  newVersionHint: 'Laden Sie neu, wann es Ihnen passt. Ihre Entwürfe und was noch zu senden ist, bleiben erhalten.',
  later: 'Später',
  clockDiffers: 'Die Uhren weichen voneinander ab',
  clockDiffersHint: `Die Uhren dieses Geräts und des Servers gehen mehr als ${limits.clockWarning / 60_000} Minuten auseinander. Zeiten und Ablauf richten sich hier nach dem Server. Prüfen Sie Datum und Uhrzeit dieses Geräts. Wenn sie stimmen, benachrichtigen Sie den Betreiber des Servers.`,
  crashed: 'Diese Ansicht konnte nicht angezeigt werden',
  crashedWhy: 'Laden Sie die Seite neu. Was Sie gesendet haben, ist davon nicht betroffen.',
  reload: 'Neu laden',
  unauthorized: 'Nicht angemeldet',
  loggedOut: 'Sie sind abgemeldet. Sie werden zur Anmeldung geleitet ...',
  signedOutHere: 'Sie sind auf diesem Gerät abgemeldet',
  sessionNotEnded:
    'Der Server war nicht erreichbar und hat die Sitzung noch nicht beendet. Dieser Browser teilt es ihm mit, sobald es möglich ist.',
  settingNotSaved: 'Einstellung nicht geändert',
  settingNotSavedHint: 'Es ist alles wie zuvor. Versuchen Sie es erneut.',
  sessionEnded: 'Sie sind abgemeldet',
  sessionEndedHere: 'Diese Sitzung wurde beendet. Melden Sie sich erneut an, um fortzufahren.',
}
