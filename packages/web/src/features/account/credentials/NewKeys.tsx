import type { Client, PreparedRecoveryKey } from '@privity/client'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { ActivateKey, type SaveKey } from './ActivateKey.tsx'
import { accountTexts } from '../texts.ts'
import { useActivation } from './useActivation.ts'

interface NewKeysProps {
  client: Client
  /** New keys that wait for activation. */
  prepared: PreparedRecoveryKey | undefined
  save: SaveKey
  onDone: () => void
  /** Called if nothing was changed. */
  onCancel: () => void
}

/** Last step of a password change for a compromised account: replaces password, keys and recovery key together. */
export function NewKeys({ client, prepared, save, onDone, onCancel }: NewKeysProps) {
  const texts = accountTexts.compromised
  const activation = useActivation(client, onDone, onCancel)

  function cancel() {
    activation.forget()
    onCancel()
  }

  const [title, description] = activation.isSaved ? [texts.confirm, texts.confirmWhy] : [texts.show, texts.showWhy]
  return (
    <Dialog
      open={prepared !== undefined}
      onOpenChange={(open) => open || activation.isPending || cancel()}
      title={title}
      description={description}
    >
      {prepared && <ActivateKey prepared={prepared} activation={activation} save={save} submit={texts.replace} />}
    </Dialog>
  )
}
