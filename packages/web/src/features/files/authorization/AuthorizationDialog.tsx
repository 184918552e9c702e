import { useState } from 'react'
import { History } from 'lucide-react'
import type { Client, DecryptedRequest } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { keepRowFocus } from '../../../ui/keepRowFocus.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ApproveAll, severalOfOne } from './ApproveAll.tsx'
import { RequestRow } from './RequestRow.tsx'
import { authorizationTexts as texts } from './texts.ts'
import '../../../ui/panel/panel.css'
import './request.css'

/** Key checks that the page provides for requesters. */
export interface KeyReview {
  isChanged: (connectionId: string) => boolean
  open: (connectionId: string) => void
}

interface AuthorizationDialogProps {
  client: Client
  pending: readonly DecryptedRequest[]
  open: boolean
  onOpenChange: (open: boolean) => void
  keyReview: KeyReview
}

export function AuthorizationDialog({ client, pending, open, onOpenChange, keyReview }: AuthorizationDialogProps) {
  return (
    <Dialog
      size="lg"
      stackable
      open={open}
      onOpenChange={onOpenChange}
      title={texts.dialogTitle}
      description={texts.dialogHint}
      footer={
        <>
          <p className="note">
            <History className="ic" />
            {texts.logged}
          </p>
          <Button onClick={() => onOpenChange(false)}>{texts.close}</Button>
        </>
      }
    >
      <Requests client={client} pending={pending} keyReview={keyReview} />
    </Dialog>
  )
}

/** All requests seen since the dialog was opened; decided ones remain as a line with the decision. */
function Requests({ client, pending, keyReview }: Pick<AuthorizationDialogProps, 'client' | 'pending' | 'keyReview'>) {
  const [seen, setSeen] = useState(pending)
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, boolean>>(new Map())
  const decided = (id: string, verdict: boolean) => setVerdicts((known) => new Map(known).set(id, verdict))
  const fresh = pending.filter((request) => !seen.some((each) => each.id === request.id))
  if (fresh.length > 0) setSeen([...seen, ...fresh])
  if (seen.length === 0) return <EmptyState title={texts.dialogEmpty}>{texts.dialogEmptyHint}</EmptyState>
  return (
    <div ref={keepRowFocus} tabIndex={-1} data-rows="">
      {seen.map((request) => {
        const waiting = pending.find((each) => each.id === request.id)
        return (
          <RequestRow
            key={request.id}
            client={client}
            request={waiting ?? request}
            waiting={waiting !== undefined}
            verdict={verdicts.get(request.id)}
            keyChanged={keyReview.isChanged(request.connectionId)}
            onDecided={decided}
            onReviewKey={keyReview.open}
          />
        )
      })}
      {/* Below the rows: a request that arrives must not move the buttons above. */}
      {severalOfOne(pending)
        .filter(([{ connectionId }]) => !keyReview.isChanged(connectionId))
        .map((requests) => (
          <ApproveAll
            key={requests[0].connectionId}
            client={client}
            requests={requests}
            onDecided={decided}
            onReviewKey={keyReview.open}
          />
        ))}
    </div>
  )
}
