import type { Translation } from '../translation.ts'
import type { tableTexts as english } from './texts.ts'

export const tableTexts: Translation<typeof english> = {
  sortBy: 'Sortieren nach',
  ascending: (column) => `${column}, aufsteigend`,
  descending: (column) => `${column}, absteigend`,
  pages: 'Seiten',
  page: (page) => `Seite ${page}`,
  previous: 'Zurück',
  next: 'Weiter',
}
