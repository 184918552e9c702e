import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../../app/queryClient.ts'
import { type UnreadCounts, unreadKey } from '../queries.ts'

const visibility = {
  subscribe(listener: () => void) {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
  get: () => document.visibilityState === 'visible',
}

/**
 * Marks the conversation as read whenever `newest` (seq of the contact's newest message) grows while the tab is visible
 * and the end of the conversation is in view (`seen`). A failed call is repeated after a reconnect.
 */
export function useMarkRead(client: Client, connectionId: string, newest: number, seen: boolean): void {
  const visible = useSyncExternalStore(visibility.subscribe, visibility.get)
  const marked = useRef(0)
  const [reconnects, setReconnects] = useState(0)
  useEffect(() => client.on('resync', () => setReconnects((count) => count + 1)), [client])
  useEffect(() => {
    if (!visible || !seen || newest <= marked.current) return
    const before = marked.current
    marked.current = newest
    void markRead(client, connectionId).catch((error: unknown) => {
      marked.current = before
      console.error(error)
    })
  }, [client, connectionId, newest, seen, visible, reconnects])
}

async function markRead(client: Client, connectionId: string): Promise<void> {
  await queryClient.cancelQueries({ queryKey: unreadKey })
  queryClient.setQueryData<UnreadCounts>(unreadKey, (known) =>
    known?.filter((each) => each.connectionId !== connectionId),
  )
  await client.messages.markRead(connectionId)
}
