/** Days as date fields have them, YYYY-MM-DD, in the reader's own time zone. */
const two = (value: number) => String(value).padStart(2, '0')

export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const daysBack = 7

/** The last 7 days up to now. */
export function lastDays(now: number): { start: string; end: string } {
  const start = new Date(now)
  start.setDate(start.getDate() - daysBack)
  return { start: dayOf(start.getTime()), end: dayOf(now) }
}

/** The first moment of a day; undefined for what is none. */
export function beginningOf(day: string): Date | undefined {
  const date = new Date(`${day}T00:00:00`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(date.getTime()) ? date : undefined
}

/** Its last millisecond, which is not 24 hours after the first where clocks were changed. */
export function endOf(day: string): Date | undefined {
  const date = beginningOf(day)
  date?.setDate(date.getDate() + 1)
  date?.setMilliseconds(-1)
  return date
}
