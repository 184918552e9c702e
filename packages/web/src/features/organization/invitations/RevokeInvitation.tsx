import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Invitation } from '@privity/contract/organization'
import { messageFor } from '../../../app/callError.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { refreshOrganization } from '../queries.ts'
import { organizationTexts } from '../texts.ts'

interface RevokeInvitationProps {
  client: Client
  invitation: Invitation
  onClose: () => void
  /** The button that opened the dialog is gone, so the focus must move elsewhere. */
  onRevoked: () => void
}

export function RevokeInvitation({ client, invitation, onClose, onRevoked }: RevokeInvitationProps) {
  const texts = organizationTexts.invitations
  const [isRevoked, setRevoked] = useState(false)
  const revoke = useMutation({
    mutationFn: () => client.organization.revokeInvitation(invitation.id),
    onSuccess() {
      setRevoked(true)
      toast({ title: texts.revoked, description: texts.revokedHint })
    },
    onError(error) {
      onClose()
      toast({ title: texts.notRevoked, description: messageFor(error, texts.notRevokedHint), tone: 'destructive' })
    },
    onSettled: refreshOrganization,
  })
  return (
    <Confirm
      open={!isRevoked}
      onOpenChange={(open) => open || onClose()}
      onClosed={(event) => {
        if (!isRevoked) return
        event.preventDefault()
        onRevoked()
      }}
      title={texts.revokeTitle}
      description={texts.revokeHint}
      confirmLabel={texts.revokeConfirm}
      busyLabel={texts.revoking}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    />
  )
}
