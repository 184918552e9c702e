import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { messageFor } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { supportListTexts as texts } from './texts.ts'

/** Sets a request's state; `closed` means handled. */
export const settingState = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, state }: Pick<ListedRequest, 'id' | 'state'>) =>
      call(founderSupportRequests.setState, { params: { id }, body: { state } }),
    onSuccess: ({ reference, state }) =>
      toast(
        state === 'closed'
          ? { title: texts.done.closed, description: texts.done.closedHint(reference) }
          : { title: texts.done.open, description: texts.done.openHint(reference) },
      ),
    onError: (error) =>
      toast({ title: texts.failed, description: messageFor(error, texts.failedHint), tone: 'destructive' }),
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) =>
          [founderSupportRequests.list.path, founderSupportRequests.get.path].includes(String(queryKey[0]) as never),
      }),
  })
