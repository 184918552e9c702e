import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { founderOrganizations, type ListedOrganization } from '@privity/contract/founder/organizations'
import { messageFor } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { organizationListTexts as texts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>

const refetch = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [founderOrganizations.list.path] })

export const creating = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { name: string; type: string }) => call(founderOrganizations.create, { body }),
    onSuccess: ({ organization }) => toast({ title: texts.created, description: texts.createdHint(organization.name) }),
    onError: (error) =>
      toast({ title: texts.failed, description: messageFor(error, texts.failedHint), tone: 'destructive' }),
    onSettled: () => refetch(queries),
  })

export const inviting = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: ListedOrganization) => call(founderOrganizations.invite, { params: { id } }),
    onSuccess: ({ organization }) => toast({ title: texts.linked, description: texts.linkedHint(organization.name) }),
    onError: (error) =>
      toast({ title: texts.linkFailed, description: messageFor(error, texts.linkFailedHint), tone: 'destructive' }),
    onSettled: () => refetch(queries),
  })
