import { useState } from 'react'
import type { Client, Trust } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { safetyNumberTexts as texts } from './texts.ts'
import { useTrustAction } from '../queries.ts'
import { digitRows } from './SafetyNumber.tsx'
import { useCopy } from '../../../app/useCopy.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'

interface SafetyActionsProps {
  client: Client
  connectionId: string
  firstName: string
  trust: Trust
}

/** Actions for a safety number, by its trust state. */
export function SafetyActions({ client, connectionId, firstName, trust }: SafetyActionsProps) {
  const { safetyNumber } = trust
  const [open, setOpen] = useState<'mismatch' | 'accept'>()
  /** The number shown when the dialog opened. The user has not seen a later one, so it must not be accepted. */
  const [shown, setShown] = useState(safetyNumber)
  const close = () => setOpen(undefined)
  const mark = useTrustAction(
    connectionId,
    () => client.trust.markVerified(connectionId, safetyNumber),
    texts.marked(firstName),
  )
  const clear = useTrustAction(connectionId, () => client.trust.unverify(connectionId), texts.cleared)
  const accept = useTrustAction(connectionId, () => client.trust.accept(connectionId, shown), texts.accepted, close)
  const review = () => {
    setShown(safetyNumber)
    setOpen('accept')
  }
  const { isCopied, icon, copy: copyDigits } = useCopy({ copied: texts.copiedToast, copyFailed: texts.copyFailed })
  const copy = (
    <Button onClick={() => void copyDigits(digitRows(safetyNumber))}>
      {icon}
      {isCopied ? texts.copied : texts.copy}
    </Button>
  )

  if (trust.state === 'verified')
    return (
      <div className="two-actions">
        {copy}
        <Button variant="danger-quiet" busy={clear.isPending} onClick={() => clear.mutate()}>
          {texts.clear}
        </Button>
      </div>
    )
  return (
    <>
      {trust.state === 'changed' ? (
        <Button variant="primary" block onClick={review}>
          {texts.accept}
        </Button>
      ) : (
        <Button variant="primary" block busy={mark.isPending} onClick={() => mark.mutate()}>
          {texts.mark}
        </Button>
      )}
      <div className="two-actions">
        {copy}
        <Button variant="danger-quiet" onClick={() => setOpen('mismatch')}>
          {texts.dontMatch}
        </Button>
      </div>
      <MismatchDialog
        client={client}
        connectionId={connectionId}
        firstName={firstName}
        trust={trust}
        open={open === 'mismatch'}
        onClose={close}
      />
      <Confirm
        open={open === 'accept'}
        onOpenChange={close}
        title={texts.acceptTitle(firstName)}
        description={texts.acceptHint(firstName)}
        confirmLabel={texts.acceptConfirm}
        busyLabel={texts.processing}
        busy={accept.isPending}
        onConfirm={() => accept.mutate()}
      />
    </>
  )
}

interface MismatchDialogProps {
  client: Client
  connectionId: string
  firstName: string
  trust: Trust
  open: boolean
  onClose: () => void
}

/** Explains what different digits may mean, without blaming anyone, and offers to pause sending. */
function MismatchDialog({ client, connectionId, firstName, trust, open, onClose }: MismatchDialogProps) {
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
