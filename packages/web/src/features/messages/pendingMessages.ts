import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { whenMemberLeaves } from '../../app/session.ts'
import type { ReadableStore } from '../../ui/useStore.ts'
import { withNewestPage } from './history.ts'
import { historyKey, type OpenedHistory, unreadQuery } from './queries.ts'

let held: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(next: Iterable<string>): void {
  held = new Set(next)
  for (const listener of listeners) listener()
}

/** Ids of loaded conversations whose new messages are not loaded until the reader asks for them. */
export const heldConversations: ReadableStore<ReadonlySet<string>> = {
  get: () => held,
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

whenMemberLeaves(() => change([]))

const isLoaded = (connectionId: string) => queryClient.getQueryData(historyKey(connectionId)) !== undefined

/** Marks a conversation as having new messages. One that is not loaded needs no mark: opening it loads them. */
export function holdMessages(connectionId: string): void {
  if (isLoaded(connectionId) && !held.has(connectionId)) change([...held, connectionId])
}

export async function loadHeld(client: Client, connectionId: string): Promise<void> {
  const page = await client.messages.list(connectionId)
  queryClient.setQueryData<OpenedHistory>(historyKey(connectionId), withNewestPage(undefined, page))
  change([...held].filter((each) => each !== connectionId))
}

/** Loads all pending messages, when auto sync is switched on. */
export function releaseHeld(): void {
  for (const connectionId of held) void queryClient.invalidateQueries({ queryKey: historyKey(connectionId) })
  if (held.size > 0) change([])
}

/** After a reconnect, fetches only the unread counts, to mark conversations with new messages. */
export async function holdUnread(client: Client): Promise<void> {
  const counts = await queryClient.fetchQuery({ ...unreadQuery(client), staleTime: 0 })
  for (const { connectionId, count } of counts) if (count > 0) holdMessages(connectionId)
}
