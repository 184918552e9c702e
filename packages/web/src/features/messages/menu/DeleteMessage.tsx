import { useMutation } from '@tanstack/react-query'
import type { Client, DecryptedMessage } from '@privity/client'
import { toastError } from '../../../app/callError.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { useStore } from '../../../ui/useStore.ts'
import { menuTexts } from './texts.ts'

const texts = menuTexts.deletion

interface DeleteMessageProps {
  client: Client
  message: DecryptedMessage
  /** First name of the recipient. */
  firstName: string
  onClose: () => void
}

/** Asks before an own message is deleted for both sides. Nothing is queued: without a connection it fails. */
export function DeleteMessage({ client, message, firstName, onClose }: DeleteMessageProps) {
  const live = useStore(client.live)
  const deletion = useMutation({
    mutationFn: () => client.messages.delete(message),
    onSuccess: onClose,
    onError: (error) => toastError(error, texts.failed),
  })
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      description={
        <>
          {message.body.kind === 'file' ? texts.explainedFile(firstName) : texts.explained(firstName)}
          {live === 'disconnected' && <b> {texts.offline}</b>}
        </>
      }
      confirmLabel={texts.confirm}
      busyLabel={texts.busy}
      busy={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    />
  )
}
