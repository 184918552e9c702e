import { language } from '../../i18n/language.ts'

/** Formats a day by language only, because a visitor has no date format preference. */
export function formatDay(ms: number): string {
  return new Intl.DateTimeFormat(language.get(), { dateStyle: 'long' }).format(ms)
}
