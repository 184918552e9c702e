import { queryOptions } from '@tanstack/react-query'
import type { Client, DecryptedMessage } from '@privity/client'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences } from '@privity/contract/preferences'
import { limits } from '@privity/contract/limits'
import type { messages, MessageProgress } from '@privity/contract/messages'
import type { Result } from '@privity/contract/endpoint'
import { queryClient } from '../../app/queryClient.ts'
import { type History, withAskedPage } from './history.ts'

export type OpenedHistory = History<DecryptedMessage>
export type UnreadCounts = Result<typeof messages.unreadCounts>

export const historyKey = (connectionId: string) => ['/api/connections', connectionId, 'messages'] as const
export const progressKey = (connectionId: string) => ['/api/connections', connectionId, 'messages/progress'] as const
export const unreadKey = ['/api/unread-counts'] as const

export function historyQuery(client: Client, connectionId: string) {
  const queryKey = historyKey(connectionId)
  return queryOptions<OpenedHistory>({
    queryKey,
    async queryFn() {
      const known = () => queryClient.getQueryData<OpenedHistory>(queryKey)
      const before = known()
      const page = await client.messages.list(connectionId)
      return withAskedPage(before, known(), page)
    },
  })
}

/** Changes the loaded history of a conversation; does nothing if none is loaded. */
export function patchHistory(connectionId: string, change: (known: OpenedHistory) => OpenedHistory): void {
  queryClient.setQueryData<OpenedHistory>(historyKey(connectionId), (known) => known && change(known))
}

export function progressQuery(client: Client, connectionId: string) {
  return queryOptions<readonly MessageProgress[]>({
    queryKey: progressKey(connectionId),
    queryFn: () => client.messages.progress(connectionId),
  })
}

/** The preferences that control polling. */
type Polling = Pick<Preferences, 'autoSync' | 'backgroundSync'>

/**
 * Polls unread counts at the interval of the specification unless the user's preferences restrict it. Events update the
 * counts in between.
 */
export function unreadQuery(client: Client, { autoSync, backgroundSync }: Polling = defaultPreferences) {
  return queryOptions<UnreadCounts>({
    queryKey: unreadKey,
    queryFn: () => client.messages.unreadCounts(),
    refetchInterval: autoSync && limits.unreadPoll,
    refetchIntervalInBackground: backgroundSync,
  })
}
