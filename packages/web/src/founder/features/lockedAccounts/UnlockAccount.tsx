import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LockedAccount } from '@privity/contract/founder/lockedAccounts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { founderClient } from '../../console/client.ts'
import { unlocking } from './queries.ts'
import { lockedTexts } from './texts.ts'

/** Asks for confirmation before the counter of failures is reset. */
export function UnlockAccount({ account, onClose }: { account: LockedAccount; onClose: () => void }) {
  const texts = lockedTexts.confirm
  const unlock = useMutation(unlocking(founderClient, useQueryClient()))
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      outsideCancels
      tone="primary"
      title={texts.title(account.username)}
      description={texts.hint}
      confirmLabel={texts.confirm}
      busyLabel={texts.busy}
      busy={unlock.isPending}
      onConfirm={() => unlock.mutate(account, { onSettled: onClose })}
    />
  )
}
