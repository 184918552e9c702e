import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { SignedInSession } from '@privity/contract/session'
import { messageFor } from '../../app/callError.ts'
import { useDateTime } from '../../i18n/dateTime.ts'
import { deviceName } from '../../i18n/deviceName/deviceName.ts'
import { useSignOut } from '../../app/signOut/useSignOut.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { accountTexts } from './texts.ts'
import '../../ui/badge/badge.css'
import '../../ui/section/section.css'

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
        description: messageFor(error, accountTexts.fallback),
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
