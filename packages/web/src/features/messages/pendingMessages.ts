import type { Client } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
import { queryClient } from '../../app/queryClient.ts'
import { whenMemberLeaves } from '../../app/session.ts'
import { withNewestPage } from './history.ts'
import { historyKey, type OpenedHistory, unreadQuery } from './queries.ts'

const pending = createStore<ReadonlySet<string>>(new Set())

/** Ids of loaded conversations whose new messages are not loaded until the reader asks for them. */
export const pendingConversations: Store<ReadonlySet<string>> = pending

whenMemberLeaves(() => pending.set(new Set()))

const isLoaded = (connectionId: string) => queryClient.getQueryData(historyKey(connectionId)) !== undefined

/** Marks a conversation as having new messages. One that is not loaded needs no mark: opening it loads them. */
export function markPending(connectionId: string): void {
  if (isLoaded(connectionId) && !pending.get().has(connectionId)) pending.set(new Set([...pending.get(), connectionId]))
}

/** Replaces the loaded messages of a conversation by the newest page, and clears its mark. */
export async function loadPending(client: Client, connectionId: string): Promise<void> {
  const page = await client.messages.list(connectionId)
  queryClient.setQueryData<OpenedHistory>(historyKey(connectionId), withNewestPage(undefined, page))
  pending.set(new Set([...pending.get()].filter((each) => each !== connectionId)))
}

/** Loads all pending messages, when auto sync is switched on. */
export function loadAllPending(): void {
  for (const connectionId of pending.get()) void queryClient.invalidateQueries({ queryKey: historyKey(connectionId) })
  if (pending.get().size > 0) pending.set(new Set())
}

/** After a reconnect, fetches only the unread counts, to mark conversations with new messages. */
export async function markUnreadPending(client: Client): Promise<void> {
  const counts = await queryClient.fetchQuery({ ...unreadQuery(client), staleTime: 0 })
  for (const { connectionId, count } of counts) if (count > 0) markPending(connectionId)
}
