/**
 * The languages of the product's texts; a member's preference names one of them. CONTRIBUTING.md says what a new one
 * needs; a test compares the copy in packages/web/public/theme.js. A code has two letters, because only the first two
 * letters of a browser's language are compared with it.
 */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The language of `texts.ts` and of the server's messages, which the others translate. */
export const defaultLanguage = 'en' satisfies Language

/** The language's name in itself, such as 'Deutsch'. */
export const languageName = (language: Language): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language

/** The language with its most likely region, such as 'de-DE'. */
export const languageTag = (language: Language): string =>
  `${language}-${new Intl.Locale(language).maximize().region ?? ''}`

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds in words, such as '24 hours' or '10 Minuten': the largest unit of which it is a whole number. */
export function durationWords(ms: number, language: Language): string {
  const [unit, count] =
    ms % hour === 0 ? ['hour', ms / hour] : ms % minute === 0 ? ['minute', ms / minute] : ['second', ms / second]
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(language, format).format(count)
}
