import type { Formats } from '../../../i18n/dateTime.ts'
import type { Language } from '../../../i18n/language.ts'

const order = { month: 'MM/DD/YYYY', day: 'DD/MM/YYYY', year: 'YYYY-MM-DD' } as const

/** Many browsers in Europe report en-US only because they ship with it, so use en-GB there. */
function localeOf(language: Language, browserLocale: string, timeZone: string): string {
  if (language === 'de') return 'de-DE'
  return browserLocale === 'en-US' && timeZone.startsWith('Europe/') ? 'en-GB' : browserLocale
}

/** Initial formats of a new account: German ones for German, else those of the browser's locale and time zone. */
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
