import type { Translation } from '../../i18n/language.ts'
import type { recoveryKeyEntryTexts as english } from './texts.ts'

export const recoveryKeyEntryTexts: Translation<typeof english> = {
  label: 'Konto-Wiederherstellungsschlüssel',
  hint: '13 Gruppen mit je 5 Zeichen, in Groß- oder Kleinbuchstaben, mit oder ohne Bindestriche.',
  complete: 'Alle 13 Gruppen sind richtig.',
  groupWrong: (group) => `Gruppe ${group} ist falsch. Vergleichen Sie sie mit Ihrer Kopie.`,
  missing: 'Geben Sie Ihren Konto-Wiederherstellungsschlüssel ein.',
}
