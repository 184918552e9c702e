import { type QueryState, useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type Client, isCallError } from '@privity/client'
import { toastError } from '../../../app/callError.ts'
import { usePreferences } from '../../../app/preferences/preferences.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { useStore } from '../../../ui/useStore.ts'
import { loadPending } from '../pendingMessages.ts'
import { checkQuery, historyQuery } from '../queries.ts'
import { messageTexts as texts } from '../texts.ts'

const retryDelayMs = 15_000

interface UnloadedMessagesProps {
  client: Client
  connectionId: string
}

/** When a failed list of a loaded conversation is repeated. With auto sync off, only the member asks for it again. */
export const retryInterval = (autoSync: boolean, { status, data }: Pick<QueryState, 'status' | 'data'>) =>
  autoSync && status === 'error' && data !== undefined && retryDelayMs

/**
 * Above the composer while the last list of a loaded conversation has failed, or its check for missing messages:
 * notices alone do not show what the server leaves out. Shows nothing while there is no connection, which the page
 * shows elsewhere.
 */
export function MessagesNotLoaded({ client, connectionId }: UnloadedMessagesProps) {
  const { autoSync } = usePreferences().preferences
  const history = useQuery({
    ...historyQuery(client, connectionId),
    refetchInterval: ({ state }) => retryInterval(autoSync, state),
  })
  const check = useQuery({
    ...checkQuery(client, connectionId),
    refetchInterval: ({ state: { status } }) => autoSync && status === 'error' && retryDelayMs,
  })
  function checkNow() {
    client.messages.check(connectionId, true).catch(() => {})
    return check.refetch()
  }
  const live = useStore(client.live)
  const [query, title] = history.isRefetchError
    ? [history, texts.newestNotLoaded]
    : [{ ...check, refetch: checkNow }, texts.notChecked]
  const isOffline = live === 'disconnected' && isCallError(query.error, 'OFFLINE')
  if (!query.error || isOffline) return null
  return (
    <div className="composer-alert">
      <QueryError query={query} title={title} />
    </div>
  )
}

/** With auto sync off: a button that loads new messages. */
export function PendingMessages({ client, connectionId }: UnloadedMessagesProps) {
  const load = useMutation({
    mutationFn: () => loadPending(client, connectionId),
    onError: (error) => toastError(error, texts.notLoaded, texts.tryAgain),
  })
  return (
    <div role="status">
      <Button className="convo-new" size="sm" busy={load.isPending} onClick={() => load.mutate()}>
        <Download className="ic" />
        {texts.loadNew}
      </Button>
    </div>
  )
}
