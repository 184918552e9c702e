import { useMemo } from 'react'
import { createStore } from '@privity/client/store'
import { defaultLanguage, type Language, languageTag } from '@privity/contract/languages'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences } from '@privity/contract/preferences'
import { useStore } from '../ui/useStore.ts'
import { language } from './language.ts'

export type Formats = Pick<Preferences, 'dateFormat' | 'timeFormat'>

const two = (value: number) => String(value).padStart(2, '0')

/** Date and time formats of the signed-in user. */
const formats = createStore<Formats>(defaultPreferences)

/** Sets the formats; an absent one gets the default. */
export function setFormats({ dateFormat, timeFormat }: Partial<Formats>): void {
  const next = {
    dateFormat: dateFormat ?? defaultPreferences.dateFormat,
    timeFormat: timeFormat ?? defaultPreferences.timeFormat,
  }
  const current = formats.get()
  if (next.dateFormat === current.dateFormat && next.timeFormat === formats.get().timeFormat) return
  formats.set(next)
}

/** Formats a date in the reader's time zone, by default in the user's format; `ms` is Unix time. */
export function formatDate(ms: number, format: Formats['dateFormat'] = formats.get().dateFormat): string {
  const date = new Date(ms)
  const [day, month, year] = [two(date.getDate()), two(date.getMonth() + 1), String(date.getFullYear())]
  switch (format) {
    case 'MM/DD/YYYY':
      return `${month}/${day}/${year}`
    case 'DD/MM/YYYY':
      return `${day}/${month}/${year}`
    case 'YYYY-MM-DD':
      return `${year}-${month}-${day}`
  }
}

/** Formats a time, such as 9:12 AM or 09:12, in the reader's time zone, by default in the user's format. */
export function formatTime(ms: number, format: Formats['timeFormat'] = formats.get().timeFormat): string {
  const date = new Date(ms)
  const [hour, minute] = [date.getHours(), two(date.getMinutes())]
  if (format === '24h') return `${two(hour)}:${minute}`
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Both functions for a component, which renders again when the user changes a format. */
export function useDateTime() {
  const { dateFormat, timeFormat } = useStore(formats)
  return useMemo(
    () => ({
      formatDate: (ms: number) => formatDate(ms, dateFormat),
      formatTime: (ms: number) => formatTime(ms, timeFormat),
    }),
    [dateFormat, timeFormat],
  )
}

/** ISO 8601, for <time dateTime>. */
export function machineTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Number of the calendar day in the reader's time zone. */
export function dayNumber(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000
}

/** Number of calendar days from `earlier` to `later`. */
export function daysBetween(earlier: number, later: number): number {
  return dayNumber(later) - dayNumber(earlier)
}

/** The day in the reader's time zone in a date field's format, YYYY-MM-DD. */
export function isoDay(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Start of the day in ms; undefined for an invalid day. */
export function startOfDay(day: string): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const ms = new Date(year, month - 1, date).getTime()
  return /^\d{4}-/.test(day) && isoDay(ms) === day ? ms : undefined
}

/** Formats a day by language only, because a visitor has no date format preference. */
export function formatLongDay(ms: number): string {
  return new Intl.DateTimeFormat(language.get(), { dateStyle: 'long' }).format(ms)
}

const order = { month: 'MM/DD/YYYY', day: 'DD/MM/YYYY', year: 'YYYY-MM-DD' } as const

/**
 * The locale for the initial formats. English is read everywhere, so the browser's locale decides; but many browsers in
 * Europe report en-US only because they ship with it, so use en-GB there.
 */
function localeOf(language: Language, browserLocale: string, timeZone: string): string {
  if (language !== defaultLanguage) return languageTag(language)
  return browserLocale === 'en-US' && timeZone.startsWith('Europe/') ? 'en-GB' : browserLocale
}

/** Initial formats of a new account: those of the language or, for English, of the browser's locale and time zone. */
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
