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

type HistoryChange = (known: OpenedHistory) => OpenedHistory

/** Changes to conversations that are loaded for the first time, by connection: the list may have been made before. */
const changesToLoading = new Map<string, HistoryChange[]>()

export const checkKey = (connectionId: string) => ['/api/connections', connectionId, 'messages/check'] as const

/**
 * Fails while the client cannot load what it needs to notice a missing message. With initial data, it stays failed
 * while it is tried again.
 */
export function checkQuery(client: Client, connectionId: string) {
  return queryOptions({
    queryKey: checkKey(connectionId),
    queryFn: () => client.messages.check(connectionId).then(() => true),
    initialData: true,
    refetchOnMount: 'always',
  })
}

export function historyQuery(client: Client, connectionId: string) {
  const queryKey = historyKey(connectionId)
  return queryOptions<OpenedHistory>({
    queryKey,
    async queryFn() {
      const known = () => queryClient.getQueryData<OpenedHistory>(queryKey)
      const before = known()
      const changes: HistoryChange[] = []
      changesToLoading.set(connectionId, changes)
      try {
        const page = await client.messages.list(connectionId)
        void queryClient.invalidateQueries({ queryKey: checkKey(connectionId) })
        return changes.reduce((loaded, change) => change(loaded), withAskedPage(before, known(), page))
      } finally {
        if (changesToLoading.get(connectionId) === changes) changesToLoading.delete(connectionId)
      }
    },
  })
}

/**
 * Changes the history of a conversation, once it is loaded if it is being loaded; does nothing otherwise. A failed or
 * outdated list stays so, unlike with `setQueryData`: one message does not bring the others.
 */
export function patchHistory(connectionId: string, change: HistoryChange): void {
  const query = queryClient.getQueryCache().find<OpenedHistory>({ queryKey: historyKey(connectionId) })
  if (query?.state.data) query.setState({ data: change(query.state.data) })
  else changesToLoading.get(connectionId)?.push(change)
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
