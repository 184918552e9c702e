import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Confirm } from '../../ui/dialog/Confirm.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { sessionsQuery, useLiveSessions } from './queries.ts'
import { SessionRow } from './SessionRow.tsx'
import { accountTexts } from './texts.ts'
import './account.css'

/** Lists the account's sessions, updated as sessions start and end. */
export function Sessions({ client }: { client: Client }) {
  const texts = accountTexts.sessions
  const { data: sessions, error, refetch, isFetching } = useQuery(sessionsQuery(client))
  useLiveSessions(client)
  const [asking, setAsking] = useState(false)

  const endOthers = useMutation({
    mutationFn: () => client.ownAccount.endOtherSessions(),
    onSuccess(ended) {
      setAsking(false)
      toast({ title: texts.ended, description: texts.endedWhy(ended) })
    },
    onError(error) {
      setAsking(false)
      const description = messageFor(error, accountTexts.fallback)
      toast({ title: accountTexts.error, description, tone: 'destructive' })
    },
  })

  if (!sessions) {
    return error ? (
      <ErrorState message={messageFor(error, accountTexts.retry)} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} />
    )
  }
  return (
    <>
      <ul aria-label={texts.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} client={client} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div className="acc-acts acc-after">
          <Button variant="danger-quiet" onClick={() => setAsking(true)}>
            {texts.others}
          </Button>
        </div>
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={texts.confirm}
        description={texts.confirmWhy}
        confirmLabel={texts.others}
        busyLabel={texts.busy}
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate()}
      />
    </>
  )
}
