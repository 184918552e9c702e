import type { Translation } from '../../i18n/language.ts'
import type { messageReportTexts as english } from './texts.ts'

export const messageReportTexts: Translation<typeof english> = {
  title: 'Diese Nachricht melden?',
  sent: (firstName) =>
    `Ihr Browser sendet diese Nachricht an den Betreiber der Plattform, mit Ihrem Namen, Ihrer Begründung und dem Nachweis, dass ${firstName} sie geschrieben und Ihnen gesendet hat.`,
  sealed:
    'Sie wird so verschlüsselt, dass nur der Betreiber der Plattform sie lesen kann, nicht der Server. Sie bleibt bis zu 30 Tage gespeichert, länger als die Nachricht selbst.',
  silent: (firstName) => `${firstName} wird nicht benachrichtigt.`,
  message: 'Die Nachricht',
  file: (name) => `Datei: ${name} (ihr Name, nicht ihr Inhalt)`,
  reason: 'Begründung (optional)',
  count: (count, of) => `${count}/${of}`,
  report: 'Nachricht melden',
  reporting: 'Wird gemeldet ...',
  cancel: 'Abbrechen',
  done: 'Nachricht gemeldet',
  doneHint: 'Der Betreiber der Plattform wird sie prüfen.',
  failed: 'Meldung fehlgeschlagen',
  failedHint: 'Die Nachricht konnte nicht gemeldet werden.',
  notSetUp: 'Das Melden ist auf diesem Server noch nicht eingerichtet.',
  gone: 'Diese Nachricht gibt es nicht mehr.',
}
