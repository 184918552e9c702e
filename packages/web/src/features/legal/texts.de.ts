import type { Translation } from '../../i18n/language.ts'
import type { legalTexts as english } from './texts.ts'

export const legalTexts: Translation<typeof english> = {
  legal: 'Rechtliches',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  threatModel: 'Bedrohungsmodell',
  toLanding: 'Zurück zur Startseite',
  toApplication: 'Zurück zu Ihren Gesprächen',
}
