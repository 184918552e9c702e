import type { Client, Trust } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { trustTexts as texts } from '../texts.ts'
import { useTrustAction } from '../queries.ts'

interface MismatchDialogProps {
  client: Client
  connectionId: string
  firstName: string
  trust: Trust
  open: boolean
  onClose: () => void
}

/** Explains what different digits may mean, without blaming anyone, and offers to pause sending. */
export function MismatchDialog({ client, connectionId, firstName, trust, open, onClose }: MismatchDialogProps) {
  const pause = useTrustAction(connectionId, () => client.trust.pause(connectionId), texts.paused(firstName), onClose)
  const words = texts.mismatch(firstName)
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={texts.mismatchTitle}
      description={words.meaning}
      footer={
        <>
          <Button onClick={onClose}>{texts.close}</Button>
          {!trust.paused && (
            <Button variant="danger" busy={pause.isPending} onClick={() => pause.mutate()}>
              {texts.pause}
            </Button>
          )}
        </>
      }
    >
      <div className="prose">
        <p>{words.checkAgain}</p>
        <p>{words.causes}</p>
        <p>{words.advice}</p>
      </div>
    </Dialog>
  )
}
