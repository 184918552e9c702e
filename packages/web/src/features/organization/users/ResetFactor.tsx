import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationUser } from '@privity/contract/organization'
import { messageFor } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchUser } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { withIdentity } from '../Reauthentication.tsx'

interface ResetFactorProps {
  client: Client
  user: OrganizationUser
  onClose: () => void
}

export function ResetFactor({ client: { organization }, user, onClose }: ResetFactorProps) {
  const texts = organizationTexts.changes
  const name = fullName(user)
  const reset = useMutation({
    mutationFn: () => withIdentity(() => organization.resetSecondFactor(user.id)),
    onSuccess(changed) {
      patchUser(changed.id, () => changed)
      toast({ title: texts.factorReset, description: texts.factorResetHint(name) })
    },
    onError: (error) =>
      toast({
        title: texts.resetFailed,
        description: messageFor(error, texts.resetFailedHint),
        tone: 'destructive',
      }),
    onSettled: onClose,
  })
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.resetTitle(name)}
      description={texts.resetHint(name)}
      confirmLabel={texts.resetConfirm}
      busyLabel={texts.resetting}
      busy={reset.isPending}
      onConfirm={() => reset.mutate()}
    />
  )
}
