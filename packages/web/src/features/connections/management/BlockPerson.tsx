import { fullName } from '../../../i18n/names.ts'
import { ConfirmAction } from '../../../app/ConfirmAction.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { refreshBlocked } from '../queries.ts'
import { managementTexts as texts } from './texts.ts'

interface BlockPersonProps {
  person: { firstName: string; lastName: string }
  block: () => Promise<unknown>
  /** Reloads the list in which the person was. */
  refresh: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation, then blocks somebody who is no contact. */
export function BlockPerson({ person, block, refresh, onClose }: BlockPersonProps) {
  const name = fullName(person)
  return (
    <ConfirmAction
      title={texts.blockTitle(name)}
      description={texts.blockPersonHint(person.firstName)}
      confirmLabel={texts.blockConfirm}
      busyLabel={texts.blocking}
      act={block}
      onSuccess={() => toast({ title: texts.blocked(name), description: texts.blockedPersonHint })}
      onSettled={() => {
        void refresh()
        void refreshBlocked()
      }}
      failed={texts.error}
      failedHint={texts.notBlocked}
      onClose={onClose}
    />
  )
}
