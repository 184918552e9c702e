import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FounderBrowser, founderSessions } from '@privity/contract/founder/session'
import { messageFor } from '../../../app/callError.ts'
import { formatDate, formatTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { sessionsQuery } from './queries.ts'
import { securityTexts } from './texts.ts'
import '../../../ui/badge/badge.css'
import '../../../ui/section/section.css'

export function SessionsPanel() {
  const texts = securityTexts.sessions
  const { data: sessions, error, isFetching, refetch } = useQuery({ ...sessionsQuery, staleTime: 0 })
  return (
    <Panel title={texts.title} count={sessions && String(sessions.length)}>
      {!sessions && error && (
        <ErrorState
          message={messageFor(error, securityTexts.notLoaded)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!sessions && !error && <Skeleton height={64} />}
      {sessions && (
        <ul aria-label={texts.list}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

const at = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`

function SessionRow({ session }: { session: FounderBrowser }) {
  const texts = securityTexts.sessions
  const { id, current, address, createdAt, lastUsedAt, device } = session
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => founderClient.call(founderSessions.endSession, { params: { id } }),
    onSuccess() {
      client.setQueryData(sessionsQuery.queryKey, (known) => known?.filter((each) => each.id !== id))
      toast({ title: texts.ended })
    },
    onError(error) {
      toast({ title: texts.failed, description: messageFor(error, securityTexts.fallback), tone: 'destructive' })
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <li className="set-row">
      <div>
        <b>
          {device} {current && <span className="badge badge-success">{texts.current}</span>}
        </b>
        <span className="d">{address}</span>
        <span className="d">{texts.signedIn(at(createdAt))}</span>
        {!current && <span className="d">{texts.used(at(lastUsedAt))}</span>}
      </div>
      {!current && (
        <Button size="sm" busy={end.isPending} aria-label={texts.signOutOf(device)} onClick={() => end.mutate()}>
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}
