import type { Translation } from '../../i18n/language.ts'
import type { messageReportTexts as english } from './texts.ts'

export const messageReportTexts: Translation<typeof english> = {
  title: 'Diese Nachricht melden?',
  sent: (firstName) =>
    `Ihr Browser sendet diese eine Nachricht von ${firstName} an den Betreiber der Plattform, mit Ihrer Begründung und mit dem, was beweist, dass ${firstName} sie geschrieben und Ihnen gesendet hat. Auch wer Sie sind, steht dabei.`,
  sealed:
    'Sie ist so versiegelt, dass nur der Betreiber der Plattform sie öffnen kann, nicht der Server. Sie bleibt bis zu 30 Tage gespeichert, länger als die Nachricht selbst.',
  silent: (firstName) => `${firstName} erfährt davon nichts.`,
  message: 'Die Nachricht',
  file: (name) => `Datei: ${name} (ihr Name, nicht ihr Inhalt)`,
  reason: 'Begründung (freiwillig)',
  count: (count, of) => `${count}/${of}`,
  report: 'Nachricht melden',
  reporting: 'Wird gemeldet...',
  cancel: 'Abbrechen',
  done: 'Nachricht gemeldet',
  doneHint: 'Der Betreiber der Plattform wird sie sich ansehen.',
  failed: 'Meldung fehlgeschlagen',
  failedHint: 'Die Nachricht konnte nicht gemeldet werden.',
  notSetUp: 'Das Melden ist auf diesem Server noch nicht eingerichtet.',
  gone: 'Diese Nachricht gibt es nicht mehr.',
}
