import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { Progress } from '@privity/contract/messages'
import { queryClient } from '../../core/queryClient.ts'
import { advance } from './delivery.ts'
import { withMessage, withoutExpired } from './history.ts'
import { historyKey, patchHistory, progressKey, type UnreadCounts, unreadKey } from './queries.ts'

/** How long an expired message takes to fade (--dur-3), before the list closes up. */
export const fadeTime = 220

/** Keeps the loaded conversations and unread counts in step with what the client hears. */
export function useLiveMessages(client: Client): void {
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const offs = [
      client.on('message', (message) => {
        patchHistory(message.connectionId, (known) => withMessage(known, message))
        if (!message.mine) countUnread(message.connectionId)
      }),
      client.on('progress', (progress) => {
        queryClient.setQueryData<readonly Progress[]>(
          progressKey(progress.connectionId),
          (known) => known && advance(known, progress),
        )
      }),
      client.on('expired', ({ connectionId }) => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          patchHistory(connectionId, (known) => withoutExpired(known, client.now()))
        }, fadeTime)
        timers.add(timer)
      }),
      client.on('connection_removed', ({ connectionId }) => {
        queryClient.removeQueries({ queryKey: historyKey(connectionId) })
        queryClient.removeQueries({ queryKey: progressKey(connectionId) })
      }),
      client.on('resync', () => {
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[2]).startsWith('messages') })
        void queryClient.invalidateQueries({ queryKey: unreadKey })
      }),
    ]
    return () => {
      for (const off of offs) off()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [client])
}

function countUnread(connectionId: string): void {
  queryClient.setQueryData<UnreadCounts>(unreadKey, (known) => {
    if (!known) return known
    const count = (known.find((each) => each.connectionId === connectionId)?.count ?? 0) + 1
    return [...known.filter((each) => each.connectionId !== connectionId), { connectionId, count }]
  })
}
