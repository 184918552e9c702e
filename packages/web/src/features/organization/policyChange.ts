import { mutationOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { sentenceOf } from '../../core/callError.ts'
import { toast } from '../../ui/toastStore.ts'
import { patchPolicy, putPolicy } from './queries.ts'
import { organizationTexts } from './texts.ts'

/** Shown at once; taken back, with a notice, where the server refuses. One after the other, so that the last one holds. */
export const policyChange = ({ organization }: Pick<Client, 'organization'>) =>
  mutationOptions({
    scope: { id: 'policy' },
    mutationFn: (part: Partial<OrganizationPolicy>) => organization.updatePolicy(part),
    onMutate: patchPolicy,
    onSuccess(policy) {
      putPolicy(policy)
      toast({ title: organizationTexts.policy.updated })
    },
    onError(error, _part, before) {
      const texts = organizationTexts.policy
      if (before) putPolicy(before)
      toast({ title: texts.failed, description: sentenceOf(error, texts.failedHint), tone: 'destructive' })
    },
  })
