import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { SignedInSession } from '@privity/contract/session'
import { toastError } from '../../app/callError.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Skeleton } from '../../ui/feedback/Progress.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { sessionsQuery, useLiveSessions } from './queries.ts'
import { accountTexts } from './texts.ts'
import { useDateTime } from '../../i18n/dateTime.ts'
import { deviceName } from '../../i18n/names.ts'
import { useSignOut } from '../../app/useSignOut.tsx'
import { QueryError } from '../../app/QueryError.tsx'
import { ConfirmAction } from '../../app/ConfirmAction.tsx'
import './account.css'
import '../../ui/badge/badge.css'
import '../../ui/section/section.css'

/** Lists the account's sessions, updated as sessions start and end. */
export function Sessions({ client }: { client: Client }) {
  const texts = accountTexts.sessions
  const list = useQuery(sessionsQuery(client))
  const sessions = list.data
  useLiveSessions(client)
  const [asking, setAsking] = useState(false)

  if (!sessions) {
    return list.error ? <QueryError query={list} fallback={accountTexts.retry} /> : <Skeleton height={64} />
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
      <ConfirmAction
        open={asking}
        title={texts.confirm}
        description={texts.confirmWhy}
        confirmLabel={texts.others}
        busyLabel={texts.busy}
        act={() => client.ownAccount.endOtherSessions()}
        onSuccess={(ended) => toast({ title: texts.ended, description: texts.endedWhy(ended) })}
        failed={accountTexts.error}
        failedHint={accountTexts.fallback}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function SessionRow({ client, session }: { client: Client; session: SignedInSession }) {
  const { formatDate, formatTime } = useDateTime()
  const at = (ms: number) => [formatDate(ms), formatTime(ms)] as const
  const texts = accountTexts.sessions
  const { id, current, address, createdAt, lastUsedAt } = session
  const device = deviceName(session.device)

  const { leave, question } = useSignOut(client)
  const end = useMutation({
    mutationFn: () => (current ? leave() : client.ownAccount.endSession(id)),
    onError: (error) => toastError(error, accountTexts.error, accountTexts.fallback),
  })

  return (
    <li className="set-row">
      <div>
        <b className="acc-device">
          {device}
          {current && <span className="badge badge-success">{texts.current}</span>}
        </b>
        <span className="d">{address}</span>
        <span className="d">{texts.signedIn(...at(createdAt))}</span>
        {!current && <span className="d">{texts.used(...at(lastUsedAt))}</span>}
      </div>
      <Button
        busy={end.isPending}
        aria-label={current ? texts.signOutHere(device) : texts.signOutOf(device)}
        onClick={() => end.mutate()}
      >
        {texts.signOut}
      </Button>
      {question}
    </li>
  )
}
