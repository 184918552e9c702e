import { useMutation } from '@tanstack/react-query'
import { Confirm, type ConfirmProps } from '../ui/dialog/Confirm.tsx'
import { toastError } from './callError.ts'

interface ConfirmActionProps<Result> extends Pick<
  ConfirmProps,
  'title' | 'description' | 'confirmLabel' | 'busyLabel' | 'tone'
> {
  open?: boolean
  act: () => Promise<Result>
  onSuccess: (result: Result) => unknown
  /** Runs after success or failure; the dialog is busy until it has settled. */
  onSettled?: () => unknown
  /** Title of the toast about a failure. */
  failed: string
  /** Shown if the failure has no reason of its own. */
  failedHint?: string
  onClose: () => void
}

/** Asks for confirmation, runs the action and closes; a failure is shown as a toast. */
export function ConfirmAction<Result>(props: ConfirmActionProps<Result>) {
  const { open = true, act, onSuccess, onSettled, failed, failedHint, onClose, ...texts } = props
  const action = useMutation({
    mutationFn: act,
    async onSuccess(result) {
      await onSuccess(result)
      onClose()
    },
    onError(error) {
      onClose()
      toastError(error, failed, failedHint)
    },
    onSettled,
  })
  return (
    <Confirm
      {...texts}
      open={open}
      onOpenChange={(next) => next || onClose()}
      busy={action.isPending}
      onConfirm={() => action.mutate()}
    />
  )
}
