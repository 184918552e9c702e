import { mutationOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { messageFor } from '../../../app/callError.ts'
import { formatDate } from '../../../i18n/dateTime.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { withIdentity } from '../reauthentication.ts'
import { patchPolicy, putPolicy } from '../queries.ts'
import { organizationTexts } from '../texts.ts'

/** Describes the changed setting and its new value. */
function settingWords(part: Partial<OrganizationPolicy>): string {
  const { announced, switches, switchedOn, switchedOff, sessionDays, domains } = organizationTexts.policy
  if (part.twoFactorFrom) return announced(formatDate(part.twoFactorFrom))
  if (part.sessionDays !== undefined) return `${sessionDays.label}: ${sessionDays.count(part.sessionDays)}`
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
      toast({ title: texts.failed, description: messageFor(error, texts.failedHint), tone: 'destructive' })
    },
  })
