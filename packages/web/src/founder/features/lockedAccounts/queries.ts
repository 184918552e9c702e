import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { type LockedAccount, lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { messageFor } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { lockedTexts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>

/** Polling interval in ms. */
export const lockedPoll = 30_000

/** Includes the monitoring statistics, which count locked accounts too. */
const related: readonly string[] = [lockedAccounts.list.path, '/api/founder/realtime-stats']

export const unlocking = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: LockedAccount) => call(lockedAccounts.unlock, { params: { id } }),
    onSuccess({ username }) {
      toast({ title: lockedTexts.done, description: lockedTexts.doneHint(username) })
    },
    onError(error) {
      const description = messageFor(error, lockedTexts.failedHint)
      toast({ title: lockedTexts.failed, description, tone: 'destructive' })
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => related.includes(String(queryKey[0])) }),
  })
