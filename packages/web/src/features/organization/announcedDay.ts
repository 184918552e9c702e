import { limits } from '@privity/contract/limits'
import type { OrganizationPolicy } from '@privity/contract/organization'

const two = (value: number) => String(value).padStart(2, '0')

/** A day in the reader's own time zone, as a date field has it. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first moment of that day; undefined for a day that there is not. */
export function startOfDay(day: string): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const begins = new Date(year, month - 1, date)
  return dayOf(begins.getTime()) === day ? begins.getTime() : undefined
}

/** The day offered first, and the first and last day that can be chosen. */
export const offeredDays = (now: number) => ({
  usual: dayOf(now + limits.announcementUsual),
  first: dayOf(now + 24 * 60 * 60 * 1000),
  last: dayOf(now + limits.announcementMost),
})

/** Whether a second factor will be required, and is not yet. */
export const isAnnounced = ({ twoFactor, twoFactorFrom }: OrganizationPolicy, now: number): boolean =>
  twoFactor && twoFactorFrom > now
