import { useCallback, useRef, useState } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../../app/queryClient.ts'
import { withOlderPage } from '../history.ts'
import { historyKey, type OpenedHistory, patchHistory } from '../queries.ts'

/** Loads the page before the oldest loaded message; one page at a time, none if there are no older messages. */
export function useOlderMessages(client: Client, connectionId: string) {
  const busy = useRef(false)
  const [loading, setLoading] = useState(false)

  const loadOlder = useCallback(async () => {
    const known = queryClient.getQueryData<OpenedHistory>(historyKey(connectionId))
    const oldest = known?.messages[0]
    if (busy.current || !known?.older || !oldest) return
    busy.current = true
    setLoading(true)
    try {
      const page = await client.messages.list(connectionId, { before: oldest.seq })
      patchHistory(connectionId, (now) => withOlderPage(now, page))
    } catch (error) {
      console.error(error)
    } finally {
      busy.current = false
      setLoading(false)
    }
  }, [client, connectionId])

  return { loading, loadOlder }
}
