import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client, DecryptedMessage } from '@privity/client'
import type { MessageProgress } from '@privity/contract/messages'
import { queryClient } from '../../app/queryClient.ts'
import { titleCount } from '../../app/screens/titleCount.ts'
import { advance } from './delivery.ts'
import { withReplaced, withMarks, withMessage, withoutExpired } from './history.ts'
import { markPending, markUnreadPending, loadAllPending } from './pendingMessages.ts'
import {
  historyKey,
  type OpenedHistory,
  patchHistory,
  progressKey,
  type UnreadCounts,
  unreadKey,
  unreadQuery,
} from './queries.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

/** Duration of an expired message's fade (--dur-3), after which it is removed from the list. */
export const fadeTime = 220

/** Updates loaded conversations and unread counts on the client's events. */
export function useLiveMessages(client: Client, autoSync: boolean): void {
  useEffect(() => {
    if (autoSync) loadAllPending()
  }, [autoSync])

  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const pending = timers.current
    return () => pending.forEach(clearTimeout)
  }, [client])

  useClientEvents(client, {
    message(message) {
      const isNewest = isNewestOf(message)
      if (autoSync || message.mine) patchHistory(message.connectionId, (known) => withMessage(known, message))
      else markPending(message.connectionId)
      if (message.mine) return
      if (isNewest) countUnread(message.connectionId)
      // Only the server knows whether a later message has been read, and this one with it.
      else void queryClient.invalidateQueries({ queryKey: unreadKey })
    },
    deleted(message) {
      patchHistory(message.connectionId, (known) => withReplaced(known, message))
      void queryClient.invalidateQueries({ queryKey: unreadKey })
      // A list that was asked for before still holds the message.
      if (autoSync) void queryClient.invalidateQueries({ queryKey: historyKey(message.connectionId) })
    },
    progress(progress) {
      queryClient.setQueryData<readonly MessageProgress[]>(
        progressKey(progress.connectionId),
        (known) => known && advance(known, progress),
      )
    },
    order_changed({ connectionId, marks }) {
      patchHistory(connectionId, (known) => withMarks(known, marks))
      // The check may have found messages that no notice has told of.
      if (autoSync) void queryClient.invalidateQueries({ queryKey: historyKey(connectionId) })
      else markPending(connectionId)
    },
    expired({ connectionId }) {
      const timer = setTimeout(() => {
        timers.current.delete(timer)
        patchHistory(connectionId, (known) => withoutExpired(known, client.now()))
      }, fadeTime)
      timers.current.add(timer)
    },
    connection_removed({ connectionId }) {
      queryClient.removeQueries({ queryKey: historyKey(connectionId) })
      queryClient.removeQueries({ queryKey: progressKey(connectionId) })
    },
    resync() {
      if (!autoSync) {
        markUnreadPending(client).catch((error: unknown) => console.error(error))
        return
      }
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[2]).startsWith('messages') })
      void queryClient.invalidateQueries({ queryKey: unreadKey })
    },
  })
}

/** Shows in the tab's title how many messages are unread. The pages with a list of connections poll the counts. */
export function useTitleCount(client: Client): void {
  const counts = useQuery({ ...unreadQuery(client), refetchInterval: false }).data
  const unread = counts?.reduce((sum, { count }) => sum + count, 0) ?? 0
  useEffect(() => {
    titleCount.set(unread)
    return () => titleCount.set(0)
  }, [unread])
}

/** Whether no later message of the conversation is loaded. */
function isNewestOf({ connectionId, seq }: DecryptedMessage): boolean {
  const known = queryClient.getQueryData<OpenedHistory>(historyKey(connectionId))
  return (known?.messages.at(-1)?.seq ?? 0) < seq
}

function countUnread(connectionId: string): void {
  queryClient.setQueryData<UnreadCounts>(unreadKey, (known) => {
    if (!known) return known
    const count = (known.find((each) => each.connectionId === connectionId)?.count ?? 0) + 1
    return [...known.filter((each) => each.connectionId !== connectionId), { connectionId, count }]
  })
}
