const two = (value: number) => String(value).padStart(2, '0')

/** The day in the reader's time zone in a date field's format, YYYY-MM-DD. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Start of the day in ms; undefined for an invalid day. */
export function startOfDay(day: string): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const ms = new Date(year, month - 1, date).getTime()
  return /^\d{4}-/.test(day) && dayOf(ms) === day ? ms : undefined
}
