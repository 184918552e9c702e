import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { SignedInSession } from '@privity/contract/session'
import { sentenceOf } from '../../core/callError.ts'
import { useDateTime } from '../../core/dateTime.ts'
import { deviceName } from '../../core/device/deviceName.ts'
import { useSignOut } from '../../core/signOut/useSignOut.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toastStore.ts'
import { accountTexts } from './texts.ts'
import '../../styles/badge.css'
import '../../styles/section.css'

export function SessionRow({ client, session }: { client: Client; session: SignedInSession }) {
  const { formatDate, formatTime } = useDateTime()
  const at = (ms: number) => [formatDate(ms), formatTime(ms)] as const
  const texts = accountTexts.sessions
  const { id, current, address, createdAt, lastUsedAt } = session
  const device = deviceName(session.device)

  const { leave, question } = useSignOut(client)
  const end = useMutation({
    mutationFn: () => (current ? leave() : client.ownAccount.endSession(id)),
    onError: (error) =>
      toast({
        title: accountTexts.error,
        description: sentenceOf(error, accountTexts.fallback),
        tone: 'destructive',
      }),
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
