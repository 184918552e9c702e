import type { Translation } from '../../i18n/language.ts'
import type { lockTexts as english } from './texts.ts'

export const lockTexts: Translation<typeof english> = {
  now: 'Jetzt sperren',
  shortcut: 'Strg+Umschalt+L',
}
