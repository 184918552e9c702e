const two = (value: number) => String(value).padStart(2, '0')

/** MM/DD/YYYY in the reader's own time zone; `ms` since 1970. */
export function formatDate(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getMonth() + 1)}/${two(date.getDate())}/${date.getFullYear()}`
}

/** 9:12 AM in the reader's own time zone. */
export function formatTime(ms: number): string {
  const date = new Date(ms)
  const hour = date.getHours()
  return `${hour % 12 || 12}:${two(date.getMinutes())} ${hour < 12 ? 'AM' : 'PM'}`
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
