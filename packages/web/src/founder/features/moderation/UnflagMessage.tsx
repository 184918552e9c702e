import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { founderClient } from '../../console/client.ts'
import { unflagging } from './queries.ts'
import { moderationTexts } from './texts.ts'

/** Asks for confirmation before a message is removed from the list for good. */
export function UnflagMessage({ flag, onClose }: { flag: FlaggedMessage; onClose: () => void }) {
  const texts = moderationTexts.confirm
  const unflag = useMutation(unflagging(founderClient, useQueryClient()))
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      outsideCancels
      tone="primary"
      title={texts.title(flag.sender.username)}
      description={texts.hint}
      confirmLabel={texts.confirm}
      busyLabel={texts.busy}
      busy={unflag.isPending}
      onConfirm={() => unflag.mutate(flag, { onSettled: onClose })}
    />
  )
}
