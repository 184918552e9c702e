import { useMemo } from 'react'
import { createStore } from '@privity/client/store'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences } from '@privity/contract/preferences'
import { useStore } from '../ui/useStore.ts'

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
export function dayOf(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000
}

/** Number of calendar days from `earlier` to `later`. */
export function daysBetween(earlier: number, later: number): number {
  return dayOf(later) - dayOf(earlier)
}
