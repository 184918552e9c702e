import type { Translation } from '../i18n/language.ts'
import type { pageTexts as english } from './texts.ts'

export const pageTexts: Translation<typeof english> = {
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Zu dieser Adresse gibt es keine passende Hälfte. Prüfen Sie sie oder gehen Sie zurück.',
    home: 'Zur Startseite',
    login: 'Zur Anmeldung',
  },
}
