import type { Client } from '@privity/client'
import type { OrganizationUser } from '@privity/contract/organization'
import { ConfirmAction } from '../../../app/ConfirmAction.tsx'
import { fullName } from '../../../i18n/names.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchUser, refreshOrganization } from '../queries.ts'
import { withIdentity } from '../Reauthentication.tsx'
import { organizationTexts } from '../texts.ts'

interface AccountActionProps {
  client: Client
  user: OrganizationUser
  onClose: () => void
}

/** Asks for confirmation and deletes a user. */
export function DeleteUser({ client, user, onClose }: AccountActionProps) {
  const texts = organizationTexts.changes
  const name = fullName(user)
  return (
    <ConfirmAction
      title={texts.deleteTitle(name)}
      description={texts.deleteHint(name)}
      confirmLabel={texts.deleteConfirm}
      busyLabel={texts.deleting}
      act={() => withIdentity(() => client.organization.removeUser(user.id))}
      onSuccess={() => {
        patchUser(user.id, () => undefined)
        toast({ title: texts.deleted, description: texts.deletedHint(name) })
      }}
      onSettled={refreshOrganization}
      failed={texts.deleteFailed}
      failedHint={texts.deleteFailedHint}
      onClose={onClose}
    />
  )
}

/** Asks for confirmation and removes a user's second factor. */
export function ResetFactor({ client, user, onClose }: AccountActionProps) {
  const texts = organizationTexts.changes
  const name = fullName(user)
  return (
    <ConfirmAction
      title={texts.resetTitle(name)}
      description={texts.resetHint(name)}
      confirmLabel={texts.resetConfirm}
      busyLabel={texts.resetting}
      act={() => withIdentity(() => client.organization.resetSecondFactor(user.id))}
      onSuccess={(changed) => {
        patchUser(changed.id, () => changed)
        toast({ title: texts.factorReset, description: texts.factorResetHint(name) })
      }}
      failed={texts.resetFailed}
      failedHint={texts.resetFailedHint}
      onClose={onClose}
    />
  )
}
