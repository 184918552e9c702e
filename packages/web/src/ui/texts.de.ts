import type { Translation } from './translation.ts'
import type * as english from './texts.ts'

export const uiTexts: Translation<typeof english.uiTexts> = {
  close: 'Schließen',
  dismiss: 'Ausblenden',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen ...',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  capsLock: 'Die Feststelltaste ist eingeschaltet.',
  notices: 'Hinweise',
  skip: 'Zum Inhalt springen',
}

export const tableTexts: Translation<typeof english.tableTexts> = {
  sortBy: 'Sortieren nach',
  ascending: (column) => `${column}, aufsteigend`,
  descending: (column) => `${column}, absteigend`,
  pages: 'Seiten',
  page: (page) => `Seite ${page}`,
  previous: 'Zurück',
  next: 'Weiter',
}
