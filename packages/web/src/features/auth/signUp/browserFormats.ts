import type { Formats } from '../../../i18n/dateTime.ts'
import type { Language } from '../../../i18n/language.ts'

const order = { month: 'MM/DD/YYYY', day: 'DD/MM/YYYY', year: 'YYYY-MM-DD' } as const

/** Many browsers in Europe report American English, because that is how they are shipped. */
function localeOf(language: Language, browserLocale: string, timeZone: string): string {
  if (language === 'de') return 'de-DE'
  return browserLocale === 'en-US' && timeZone.startsWith('Europe/') ? 'en-GB' : browserLocale
}

/**
 * The date and time formats that a new account begins with: those of the language it signs up in, or, in English,
 * those of the browser's locale and time zone.
 */
export function browserFormats(
  language: Language,
  browserLocale = navigator.language,
  { timeZone } = Intl.DateTimeFormat().resolvedOptions(),
): Formats {
  const locale = localeOf(language, browserLocale, timeZone)
  const parts = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts(0)
  const first = parts.find(({ type }) => type in order)?.type as keyof typeof order
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { dateFormat: order[first], timeFormat: hour12 === true ? '12h' : '24h' }
}
