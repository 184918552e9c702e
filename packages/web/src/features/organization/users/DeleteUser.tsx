import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationUser } from '@privity/contract/organization'
import { messageFor } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchUser, refreshOrganization } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { withIdentity } from '../Reauthentication.tsx'

interface DeleteUserProps {
  client: Client
  user: OrganizationUser
  onClose: () => void
  /** The button that opened the dialog was removed with its row. */
  onDeleted: () => void
}

export function DeleteUser({ client: { organization }, user, onClose, onDeleted }: DeleteUserProps) {
  const texts = organizationTexts.changes
  const [isDeleted, setDeleted] = useState(false)
  const name = fullName(user)
  const remove = useMutation({
    mutationFn: () => withIdentity(() => organization.removeUser(user.id)),
    onSuccess() {
      setDeleted(true)
      patchUser(user.id, () => undefined)
      toast({ title: texts.deleted, description: texts.deletedHint(name) })
    },
    onError(error) {
      onClose()
      const description = messageFor(error, texts.deleteFailedHint)
      toast({ title: texts.deleteFailed, description, tone: 'destructive' })
    },
    onSettled: refreshOrganization,
  })
  return (
    <Confirm
      open={!isDeleted}
      onOpenChange={(open) => open || onClose()}
      onClosed={(event) => {
        if (!isDeleted) return
        event.preventDefault()
        onDeleted()
      }}
      title={texts.deleteTitle(name)}
      description={texts.deleteHint(name)}
      confirmLabel={texts.deleteConfirm}
      busyLabel={texts.deleting}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  )
}
