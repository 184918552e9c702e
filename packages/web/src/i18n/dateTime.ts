import { useMemo } from 'react'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences } from '@privity/contract/preferences'
import { type ReadableStore, useStore } from '../ui/useStore.ts'

export type Formats = Pick<Preferences, 'dateFormat' | 'timeFormat'>

const two = (value: number) => String(value).padStart(2, '0')

let current: Formats = defaultPreferences
const listeners = new Set<() => void>()

/** How the signed-in user has dates and times written. */
const formats: ReadableStore<Formats> = {
  get: () => current,
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** What is absent is written the default way. */
export function setFormats({ dateFormat, timeFormat }: Partial<Formats>): void {
  const next = {
    dateFormat: dateFormat ?? defaultPreferences.dateFormat,
    timeFormat: timeFormat ?? defaultPreferences.timeFormat,
  }
  if (next.dateFormat === current.dateFormat && next.timeFormat === current.timeFormat) return
  current = next
  for (const listener of listeners) listener()
}

/** In the reader's own time zone and, where no other is given, in his own format; `ms` since 1970. */
export function formatDate(ms: number, format: Formats['dateFormat'] = current.dateFormat): string {
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

/** 9:12 AM or 09:12, in the reader's own time zone and, where no other is given, in his own format. */
export function formatTime(ms: number, format: Formats['timeFormat'] = current.timeFormat): string {
  const date = new Date(ms)
  const [hour, minute] = [date.getHours(), two(date.getMinutes())]
  if (format === '24h') return `${two(hour)}:${minute}`
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The same two for a component, which is drawn again when the user chooses another format. */
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

/** For <time dateTime>. */
export function machineTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** The calendar day in the reader's own time zone, as a running number. */
export function dayOf(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000
}

/** Whole calendar days from `earlier` to `later`. */
export function daysBetween(earlier: number, later: number): number {
  return dayOf(later) - dayOf(earlier)
}
