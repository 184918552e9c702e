import type { Translation } from '../../../i18n/language.ts'
import type { quoteTexts as english } from './texts.ts'

export const quoteTexts: Translation<typeof english> = {
  you: 'Sie',
  deleted: 'Nachricht gelöscht',
  replyTo: (name) => `Antwort an: ${name}`,
  removeQuote: 'Zitat entfernen',
  quotedBy: (name) => `Zitiert von: ${name}`,
  quoteExpired: 'Die zitierte Nachricht ist verschwunden',
}
