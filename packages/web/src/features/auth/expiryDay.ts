import { language } from '../../i18n/language.ts'

/** A day as the language writes it, for a visitor, who has not chosen a format. */
export function formatDay(ms: number): string {
  return new Intl.DateTimeFormat(language.get(), { dateStyle: 'long' }).format(ms)
}
