import { limits } from '@privity/contract/limits'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { dayOf } from '../../../i18n/calendarDay.ts'

/** The default day, and the first and last day that can be chosen. */
export const offeredDays = (now: number) => ({
  usual: dayOf(now + limits.announcementUsual),
  first: dayOf(now + 24 * 60 * 60 * 1000),
  last: dayOf(now + limits.announcementMost),
})

/** Whether two-factor authentication will be required, but is not yet. */
export const isAnnounced = ({ twoFactor, twoFactorFrom }: OrganizationPolicy, now: number): boolean =>
  twoFactor && twoFactorFrom > now
