import { limits } from '@privity/contract/limits'
import type { Translation } from '../../i18n/language.ts'
import type { newPasswordTexts as english } from './texts.ts'

export const newPasswordTexts: Translation<typeof english> = {
  strength: 'Stärke des Passworts',
  words: ['Sehr schwach', 'Schwach', 'Mittel', 'Gut', 'Stark'],
  tooShort: `Zu kurz: Verwenden Sie mindestens ${limits.passwordCharacters} Zeichen.`,
  errors: {
    short: `Verwenden Sie mindestens ${limits.passwordCharacters} Zeichen.`,
    weak: 'Wählen Sie ein stärkeres Passwort: Es muss „Gut“ erreichen.',
    unknown: 'Die Stärke des Passworts konnte nicht geprüft werden. Versuchen Sie es erneut.',
  },
}
