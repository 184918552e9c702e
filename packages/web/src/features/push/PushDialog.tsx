import { useState } from 'react'
import type { Client } from '@privity/client'
import { askPermission } from '../../browser/notificationPermission.ts'
import { toastError } from '../../app/callError.ts'
import { Confirm } from '../../ui/dialog/Confirm.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { switchOff, switchOn } from './queries.ts'
import { pushTexts as texts } from './texts.ts'

interface PushDialogProps {
  client: Client
  /** Whether it is offered because a message was missed; declining it is remembered. */
  isOffer?: boolean
  onClose: () => void
}

/** Says what a push service learns before the member switches it on. */
export function PushDialog({ client, isOffer = false, onClose }: PushDialogProps) {
  const [busy, setBusy] = useState(false)
  const { title, missed, learns, shows, confirm, busy: busyLabel } = texts.dialog

  async function accept(): Promise<void> {
    setBusy(true)
    try {
      await askPermission()
      if (Notification.permission === 'granted') {
        await switchOn(client)
        toast({ title: texts.on })
      } else {
        if (isOffer) await switchOff(client)
        toast({ title: texts.failed, description: texts.status.blocked, tone: 'destructive' })
      }
    } catch (error) {
      toastError(error, texts.failed, texts.failedHint)
    }
    onClose()
  }

  function decline(): void {
    if (isOffer) switchOff(client).catch((error: unknown) => toastError(error, texts.failed))
    onClose()
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => open || decline()}
      title={title}
      description={[isOffer && missed, learns, shows].filter(Boolean).join(' ')}
      confirmLabel={confirm}
      busyLabel={busyLabel}
      busy={busy}
      tone="primary"
      onConfirm={() => void accept()}
    />
  )
}
