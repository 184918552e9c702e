import type { UseMutationResult } from '@tanstack/react-query'
import { Confirm, type ConfirmProps } from '../../ui/dialog/Confirm.tsx'

interface ConfirmMutationProps<Subject> extends Pick<
  ConfirmProps,
  'title' | 'description' | 'confirmLabel' | 'busyLabel'
> {
  mutation: Pick<UseMutationResult<unknown, Error, Subject>, 'isPending' | 'mutate'>
  subject: Subject
  onClose: () => void
}

/** Asks for confirmation, runs the mutation and closes once it has settled. A click outside cancels. */
export function ConfirmMutation<Subject>({ mutation, subject, onClose, ...texts }: ConfirmMutationProps<Subject>) {
  return (
    <Confirm
      {...texts}
      open
      onOpenChange={(open) => open || onClose()}
      outsideCancels
      tone="primary"
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate(subject, { onSettled: onClose })}
    />
  )
}
