import { useId } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Ban, CircleCheck, FileText, Info, TriangleAlert, User } from 'lucide-react'
import { type Client, isCallError, type DecryptedRequest } from '@privity/client'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchPending, refreshPending } from '../queries.ts'
import { fileTexts } from '../texts.ts'
import { authorizationTexts as texts } from './texts.ts'
import { toastError } from '../../../app/callError.ts'

interface RequestRowProps {
  client: Client
  request: DecryptedRequest
  /** Whether the request is still pending on the server. */
  waiting: boolean
  /** The decision made in this dialog. */
  verdict: boolean | undefined
  /** Whether the requester's key has changed and must be reviewed. */
  keyChanged: boolean
  onDecided: (id: string, verdict: boolean) => void
  onReviewKey: (connectionId: string) => void
}

export function RequestRow(props: RequestRowProps) {
  const { client, request, waiting, verdict, keyChanged, onDecided, onReviewKey } = props
  const { formatTime } = useDateTime()
  const whyId = useId()
  const decide = useMutation({
    mutationFn: (authorize: boolean) => client.files.decide(request, authorize),
    onSuccess(_status, authorize) {
      onDecided(request.id, authorize)
      patchPending((known) => known.filter((each) => each.id !== request.id))
      if (authorize) toast({ title: fileTexts.accessAuthorized, description: fileTexts.accessAuthorizedHint })
      else toast({ title: texts.accessDenied })
    },
    onError(error) {
      refreshPending()
      if (isCallError(error, 'KEY_CHANGED', 'CONTACT_UNMET', 'NAME_CHANGED')) onReviewKey(request.connectionId)
      toastError(error, fileTexts.authorizationFailed, fileTexts.authorizationFailedHint)
    },
  })
  const who = nameOf(request)
  const file = request.name ?? texts.unknownFile

  if (verdict !== undefined || !waiting) return <DecidedLine who={who} file={file} verdict={verdict} />
  return (
    <article className="req" aria-label={who}>
      <Requester name={request.requestedBy} />
      <div className="grow">
        <b className="trunc req-who" dir="auto">
          {who}
        </b>
        <div className="muted trunc req-note">
          {request.requestedBy && request.requestedByEmail && `${request.requestedByEmail} · `}
          <span className="nowrap">{texts.requestedAt(formatTime(request.requestedAt))}</span>
        </div>
        <div className="fl">
          <FileText className="ic ic-sm" />
          <bdi>{file}</bdi>
        </div>
        {keyChanged && (
          <>
            <p className="error" id={whyId}>
              <TriangleAlert className="ic ic-sm" />
              {texts.keyChanged}
            </p>
            <Button size="sm" onClick={() => onReviewKey(request.connectionId)}>
              {texts.reviewKey}
            </Button>
          </>
        )}
      </div>
      <div className="acts">
        <Button
          size="sm"
          disabled={decide.isPending}
          aria-label={texts.denyFile(file)}
          onClick={() => decide.mutate(false)}
        >
          {texts.deny}
        </Button>
        <Button
          size="sm"
          variant="primary"
          disabled={decide.isPending || keyChanged}
          aria-label={texts.approveFile(file)}
          aria-describedby={keyChanged ? whyId : undefined}
          onClick={() => decide.mutate(true)}
        >
          {texts.approve}
        </Button>
      </div>
    </article>
  )
}

export const nameOf = ({ requestedBy, requestedByEmail }: DecryptedRequest): string =>
  requestedBy ?? requestedByEmail ?? texts.unknownPerson

function Requester({ name }: { name: string | undefined }) {
  if (!name)
    return (
      <span className="av av-nameless" aria-hidden="true">
        <User className="ic ic-md" />
      </span>
    )
  const words = name.split(/\s+/)
  return <Avatar firstName={words[0] ?? ''} lastName={words.length > 1 ? (words.at(-1) ?? '') : ''} />
}

function DecidedLine({ who, file, verdict }: { who: string; file: string; verdict: boolean | undefined }) {
  const Icon = verdict === undefined ? Info : verdict ? CircleCheck : Ban
  const words =
    verdict === undefined ? texts.goneLine(file) : verdict ? texts.approvedLine(who, file) : texts.deniedLine(who, file)
  return (
    <p className={`req-done ${verdict === undefined ? '' : verdict ? 'fs-ok' : 'fs-no'}`} role="status">
      <Icon className="ic" />
      <span>{words}</span>
    </p>
  )
}
