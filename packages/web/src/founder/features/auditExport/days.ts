import { dayOf, startOfDay } from '../../../i18n/calendarDay.ts'

const daysBack = 7

/** The last 7 days up to now. */
export function lastDays(now: number): { start: string; end: string } {
  const start = new Date(now)
  start.setDate(start.getDate() - daysBack)
  return { start: dayOf(start.getTime()), end: dayOf(now) }
}

/** The start of a day; undefined for an invalid date. */
export function beginningOf(day: string): Date | undefined {
  const ms = startOfDay(day)
  return ms === undefined ? undefined : new Date(ms)
}

/** The last millisecond of a day, which has more or less than 24 hours when clocks change. */
export function endOf(day: string): Date | undefined {
  const date = beginningOf(day)
  date?.setDate(date.getDate() + 1)
  date?.setMilliseconds(-1)
  return date
}
