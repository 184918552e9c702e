import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { queryClient } from '../../app/queryClient.ts'
import { historyQuery, type UnreadCounts, unreadKey } from './queries.ts'

/** Number of conversations to preload. */
const ahead = 5

/** Conversations to preload: those with unread messages first, then the newest connections. Skips empty ones. */
export function preloaded(connections: readonly Connection[], unread: UnreadCounts): string[] {
  const waiting = new Set(unread.filter(({ count }) => count > 0).map(({ connectionId }) => connectionId))
  const written = connections.filter(({ lastSeq }) => lastSeq > 0).map(({ id }) => id)
  return [...written.filter((id) => waiting.has(id)), ...written.filter((id) => !waiting.has(id))].slice(0, ahead)
}

/** Loads and decrypts these conversations in sequence once the list of connections is loaded. */
export function usePreload(client: Client, connections: readonly Connection[] | undefined, wanted: boolean): void {
  const ready = wanted && connections !== undefined
  useEffect(() => {
    if (!ready) return
    let stopped = false
    const load = async () => {
      const unread = queryClient.getQueryData<UnreadCounts>(unreadKey) ?? []
      for (const id of preloaded(connections, unread)) {
        if (stopped) return
        await queryClient.prefetchQuery(historyQuery(client, id))
      }
    }
    void load()
    return () => {
      stopped = true
    }
    // Runs once per opened page: events deliver later messages.
    // oxlint-disable-next-line react/exhaustive-deps -- a change of the list must not start it again
  }, [client, ready])
}
