import { useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MessageProgress } from '@privity/contract/messages'
import type { OpenedHistory } from '../queries.ts'
import type { Unread } from './timeline.ts'

interface Loaded {
  history: Pick<UseQueryResult<OpenedHistory>, 'data' | 'isFetching'>
  progress: Pick<UseQueryResult<readonly MessageProgress[]>, 'data' | 'isFetching'>
  /** New messages wait until the reader loads them. */
  isPending: boolean
  otherId: string
}

/** Undefined until messages and the user's own progress are loaded; then unchanged until the conversation is left. */
export function useUnreadAtOpening(loaded: Loaded): Unread | undefined {
  const [unread, setUnread] = useState<Unread>()
  const found = unread ?? findUnread(loaded)
  if (found !== unread) setUnread(found)
  return found
}

/** Returns undefined while an answer is still to come: a message that it brings may be unread. */
export function findUnread({ history, progress, isPending, otherId }: Loaded): Unread | undefined {
  const own = progress.data?.find(({ userId }) => userId !== otherId)
  if (!history.data || !own || history.isFetching || progress.isFetching || isPending) return undefined
  return { after: own.readSeq ?? 0, upTo: history.data.messages.at(-1)?.seq ?? 0 }
}
