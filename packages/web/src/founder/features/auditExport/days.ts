import { dayOf, startOfDay } from '../../../i18n/calendarDay.ts'

const daysBack = 7

/** The last 7 days up to now. */
export function lastDays(now: number): { start: string; end: string } {
  const start = new Date(now)
  start.setDate(start.getDate() - daysBack)
  return { start: dayOf(start.getTime()), end: dayOf(now) }
}

/** The first moment of a day; undefined for a day that there is not. */
export function beginningOf(day: string): Date | undefined {
  const ms = startOfDay(day)
  return ms === undefined ? undefined : new Date(ms)
}

/** Its last millisecond, which is not 24 hours after the first where clocks were changed. */
export function endOf(day: string): Date | undefined {
  const date = beginningOf(day)
  date?.setDate(date.getDate() + 1)
  date?.setMilliseconds(-1)
  return date
}
