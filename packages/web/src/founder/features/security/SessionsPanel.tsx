import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FounderBrowser, founderSessions } from '@privity/contract/founder/session'
import { toastError } from '../../../app/callError.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { Skeleton } from '../../../ui/feedback/Progress.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { formatDateTime } from '../../console/values.tsx'
import { sessionsQuery } from './queries.ts'
import { securityTexts } from './texts.ts'
import '../../../ui/badge/badge.css'
import '../../../ui/section/section.css'

const texts = securityTexts.sessions

export function SessionsPanel() {
  const list = useQuery({ ...sessionsQuery, staleTime: 0 })
  const sessions = list.data
  return (
    <Panel title={texts.title} count={sessions && String(sessions.length)}>
      {!sessions && <QueryError query={list} fallback={securityTexts.notLoaded} />}
      {!sessions && !list.error && <Skeleton height={64} />}
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

function SessionRow({ session }: { session: FounderBrowser }) {
  const { id, current, address, createdAt, lastUsedAt, device } = session
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => founderClient.call(founderSessions.endSession, { params: { id } }),
    onSuccess() {
      client.setQueryData(sessionsQuery.queryKey, (known) => known?.filter((each) => each.id !== id))
      toast({ title: texts.ended })
    },
    onError(error) {
      toastError(error, texts.failed, securityTexts.fallback)
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
        <span className="d">{texts.signedIn(formatDateTime(createdAt))}</span>
        {!current && <span className="d">{texts.used(formatDateTime(lastUsedAt))}</span>}
      </div>
      {!current && (
        <Button size="sm" busy={end.isPending} aria-label={texts.signOutOf(device)} onClick={() => end.mutate()}>
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}
