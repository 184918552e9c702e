import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../../app/queryClient.ts'
import { useStore } from '../../../ui/useStore.ts'
import { withOlderPage } from '../history.ts'
import { historyKey, type OpenedHistory, patchHistory } from '../queries.ts'

/**
 * Loads the page before the oldest loaded message; one page at a time, none if there are no older messages.
 * `loadOlder` does nothing after a failure: the error notice moves the messages, which would call it again at once.
 * `older.refetch` tries again, and so does `loadOlder` once the connection is back.
 */
export function useOlderMessages(client: Client, connectionId: string) {
  // A ref, because moving the messages calls `loadOlder` again before the next effects run.
  const state = useRef<'idle' | 'loading' | 'failed'>('idle')
  const [isFetching, setFetching] = useState(false)
  const [error, setError] = useState<Error | null>(null)

  const refetch = useCallback(async () => {
    const known = queryClient.getQueryData<OpenedHistory>(historyKey(connectionId))
    const oldest = known?.messages[0]
    if (state.current === 'loading' || !known?.older || !oldest) return
    state.current = 'loading'
    setFetching(true)
    try {
      const page = await client.messages.list(connectionId, { before: oldest.seq })
      patchHistory(connectionId, (now) => withOlderPage(now, page))
      setError(null)
      state.current = 'idle'
    } catch (failure) {
      console.error(failure)
      state.current = 'failed'
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    } finally {
      setFetching(false)
    }
  }, [client, connectionId])

  const live = useStore(client.live)
  useEffect(() => {
    if (live !== 'connected' || state.current !== 'failed') return
    state.current = 'idle'
    setError(null)
  }, [live])

  const loadOlder = useCallback(() => {
    if (state.current === 'idle') void refetch()
  }, [refetch])

  return { older: { error, isFetching, refetch }, loadOlder }
}
