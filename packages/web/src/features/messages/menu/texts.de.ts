import type { Translation } from '../../../i18n/language.ts'
import type { menuTexts as english } from './texts.ts'

export const menuTexts: Translation<typeof english> = {
  reply: 'Antworten',
  copy: 'Kopieren',
  copied: 'Nachricht kopiert',
  notCopied: 'Die Nachricht konnte nicht kopiert werden',
  report: 'Nachricht melden',
  deleteForBoth: 'Für beide löschen',
  deletion: {
    title: 'Diese Nachricht für beide löschen?',
    explained: (firstName) =>
      `${firstName} hat sie vielleicht gelesen. Sie wird auf dem Server vernichtet. An ihrer Stelle steht „Nachricht gelöscht“, bis sie verschwunden wäre.`,
    explainedFile: (firstName) =>
      `${firstName} hat sie vielleicht heruntergeladen. Die Nachricht und ihre Datei werden auf dem Server vernichtet. An ihrer Stelle steht „Nachricht gelöscht“, bis sie verschwunden wären.`,
    offline: 'Dafür ist eine Verbindung zum Server nötig. Sie sind offline.',
    confirm: 'Für beide löschen',
    busy: 'Wird gelöscht',
    failed: 'Die Nachricht wurde nicht gelöscht',
  },
}
