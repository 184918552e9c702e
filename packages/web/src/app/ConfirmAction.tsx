import { useState } from 'react'
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
  /** Set if success removes the button that opened the dialog: called when the dialog is closed, to move the focus. */
  onRemoved?: () => void
}

/** Asks for confirmation, runs the action and closes; a failure is shown as a toast. */
export function ConfirmAction<Result>(props: ConfirmActionProps<Result>) {
  const { open = true, act, onSuccess, onSettled, failed, failedHint, onClose, onRemoved, ...texts } = props
  const [isRemoved, setRemoved] = useState(false)
  const action = useMutation({
    mutationFn: act,
    async onSuccess(result) {
      await onSuccess(result)
      if (onRemoved) setRemoved(true)
      else onClose()
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
      open={open && !isRemoved}
      onOpenChange={(next) => next || onClose()}
      busy={action.isPending}
      onConfirm={() => action.mutate()}
      onClosed={(event) => {
        if (!isRemoved) return
        event.preventDefault()
        onRemoved?.()
      }}
    />
  )
}
