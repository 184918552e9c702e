import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { founderClient } from '../../console/client.ts'
import { ConfirmMutation } from '../../console/ConfirmMutation.tsx'
import { PersonName } from '../../console/values.tsx'
import { FlagTime } from './columns.tsx'
import { unflagMutation, unflagSeveralMutation } from './queries.ts'
import { moderationTexts } from './texts.ts'

/** Asks for confirmation before a message is removed from the list for good. */
export function UnflagMessage({ flag, onClose }: { flag: FlaggedMessage; onClose: () => void }) {
  const texts = moderationTexts.confirm
  return (
    <ConfirmMutation
      mutation={useMutation(unflagMutation(founderClient, useQueryClient()))}
      subject={flag}
      title={texts.title(flag.sender.username)}
      description={texts.hint}
      confirmLabel={texts.confirm}
      busyLabel={texts.busy}
      onClose={onClose}
    />
  )
}

interface UnflagSeveralProps {
  flags: readonly FlaggedMessage[]
  /** Called after a response, to clear the selection. */
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation before several messages are removed from the list for good, and lists those that failed. */
export function UnflagSeveral({ flags, onDone, onClose }: UnflagSeveralProps) {
  const texts = moderationTexts.several
  const unflag = useMutation(unflagSeveralMutation(founderClient, useQueryClient()))
  const failed = unflag.data?.failed ?? []
  if (unflag.data !== undefined && failed.length > 0)
    return (
      <Dialog
        open
        onOpenChange={(open) => open || onClose()}
        title={texts.partly}
        footer={<Button onClick={onClose}>{texts.close}</Button>}
      >
        <NotUnflagged
          unflagged={unflag.data.unflagged.length}
          flags={flags.filter(({ id }) => failed.some((each) => each.id === id))}
        />
      </Dialog>
    )
  const count = formatNumber(flags.length)
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      outsideCancels
      tone="primary"
      title={texts.title(count)}
      description={texts.hint}
      confirmLabel={texts.confirm(count)}
      busyLabel={moderationTexts.confirm.busy}
      busy={unflag.isPending}
      onConfirm={() =>
        unflag.mutate(flags, {
          onSuccess(result) {
            onDone()
            if (result.failed.length === 0) onClose()
          },
          onError: onClose,
        })
      }
    />
  )
}

/** Messages that could not be unflagged, with the reason. */
export function NotUnflagged({ unflagged, flags }: { unflagged: number; flags: readonly FlaggedMessage[] }) {
  const texts = moderationTexts.several
  return (
    <>
      <p>{texts.partlyHint(formatNumber(unflagged), formatNumber(flags.length))}</p>
      <ul className="mod-failed">
        {flags.map(({ id, sender, flaggedAt }) => (
          <li key={id}>
            <span>
              <PersonName person={sender} />
              {', '}
              <FlagTime at={flaggedAt} />
            </span>
            <span className="muted">{texts.why}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
