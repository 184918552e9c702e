import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { type Incident, incidents } from '@privity/contract/founder/incidents'
import { messageFor } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { incidentTexts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>

const related: readonly string[] = [incidents.list.path, incidents.dashboard.path]

/** Refetches even after a refusal, because another window may have made the change first. */
const refresh = (queries: QueryClient) =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => related.includes(String(queryKey[0])) })

export const acknowledging = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ incident, note }: { incident: Pick<Incident, 'id'>; note: string }) =>
      call(incidents.acknowledge, { body: { incident: incident.id, note } }),
    onSuccess: () => toast({ title: incidentTexts.acknowledged, description: incidentTexts.acknowledgedHint }),
    onError: (error) => {
      const description = messageFor(error, incidentTexts.acknowledgeFailedHint)
      toast({ title: incidentTexts.acknowledgeFailed, description, tone: 'destructive' })
    },
    onSettled: () => refresh(queries),
  })

export const withdrawing = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: Pick<Incident, 'id'>) => call(incidents.withdraw, { query: { incident: id } }),
    onSuccess: () => toast({ title: incidentTexts.withdrawn, description: incidentTexts.withdrawnHint }),
    onError: (error) => {
      const description = messageFor(error, incidentTexts.withdrawFailedHint)
      toast({ title: incidentTexts.withdrawFailed, description, tone: 'destructive' })
    },
    onSettled: () => refresh(queries),
  })
