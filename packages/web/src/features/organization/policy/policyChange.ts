import { mutationOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { limits } from '@privity/contract/limits'
import { formatDate, isoDay } from '../../../i18n/dateTime.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchPolicy, putPolicy } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { withIdentity } from '../Reauthentication.tsx'
import { toastError } from '../../../app/callError.ts'

/** Describes the changed setting and its new value. */
function settingWords(part: Partial<OrganizationPolicy>): string {
  const { announced, switches, switchedOn, switchedOff, sessionDays, lockAfter, domains } = organizationTexts.policy
  if (part.twoFactorFrom) return announced(formatDate(part.twoFactorFrom))
  if (part.sessionDays !== undefined) return `${sessionDays.label}: ${sessionDays.count(part.sessionDays)}`
  if (part.lockAfter !== undefined) return `${lockAfter.label}: ${lockAfter.minutes(part.lockAfter)}`
  const names = Object.keys(switches) as (keyof typeof switches)[]
  const name = names.find((each) => part[each] !== undefined)
  if (name === undefined) return domains.label
  return part[name] ? switchedOn(switches[name].label) : switchedOff(switches[name].label)
}

/** Updates the policy optimistically; an error rolls back and shows a toast. In sequence, so the last one wins. */
export const policyChange = ({ organization }: Pick<Client, 'organization'>) =>
  mutationOptions({
    scope: { id: 'policy' },
    mutationFn: (part: Partial<OrganizationPolicy>) => withIdentity(() => organization.updatePolicy(part)),
    onMutate: patchPolicy,
    onSuccess(policy, part) {
      putPolicy(policy)
      toast({ title: organizationTexts.policy.updated, description: settingWords(part) })
    },
    onError(error, _part, before) {
      const texts = organizationTexts.policy
      if (before) putPolicy(before)
      toastError(error, texts.failed, texts.failedHint)
    },
  })

/** The calendar day after that of `ms`, which may have 23 or 25 hours. */
function dayAfter(ms: number): string {
  const date = new Date(ms)
  return isoDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime())
}

/** The default day, and the first and last day that can be chosen. */
export const offeredDays = (now: number) => ({
  usual: isoDay(now + limits.announcementUsual),
  first: dayAfter(now),
  last: isoDay(now + limits.maxAnnouncement),
})

/** Whether two-factor authentication will be required, but is not yet. */
export const isAnnounced = ({ twoFactor, twoFactorFrom }: OrganizationPolicy, now: number): boolean =>
  twoFactor && twoFactorFrom > now

const label = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

export type DomainProblem = 'invalid' | 'known' | 'full'

/** Normalizes a typed domain: removes a leading @ and a trailing dot, and converts it to lower case. */
export const asDomain = (typed: string): string => typed.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase()

/** Why this domain cannot be added; undefined if it can. The server validates it again. */
export function domainProblemOf(
  domain: string,
  list: readonly string[],
  maxDomains: number,
): DomainProblem | undefined {
  const parts = domain.split('.')
  const isDomain = parts.length > 1 && parts.every((part) => label.test(part)) && !/^\d+$/.test(parts.at(-1) ?? '')
  if (!isDomain || domain.length > 253) return 'invalid'
  if (list.includes(domain)) return 'known'
  return list.length >= maxDomains ? 'full' : undefined
}
