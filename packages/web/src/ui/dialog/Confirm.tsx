import type { ReactNode } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import { uiTexts } from '../texts.ts'
import { Button } from '../button/Button.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { Backdrop, stayOpen } from './Backdrop.tsx'

export interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  confirmLabel: string
  /** 'Cancel' by default. */
  cancelLabel?: string
  /** Shown on the confirm button while busy. */
  busyLabel?: string
  busy?: boolean
  tone?: 'danger' | 'primary'
  onConfirm: () => void
  /** Another action that the dialog offers. */
  alternative?: { label: string; onSelect: () => void } | undefined
  /** For harmless questions: a click outside cancels. */
  outsideCancels?: boolean
  /** Call preventDefault to move the focus elsewhere instead of returning it. */
  onClosed?: (event: Event) => void
}

/** Asks for confirmation. Ignores clicks outside unless they cancel; while not busy, Escape and Cancel close it. */
export function Confirm(props: ConfirmProps) {
  const { open, onOpenChange, title, description, confirmLabel, busyLabel, busy = false, tone = 'danger' } = props
  const { outsideCancels = false } = props
  const returnFocus = useReturnFocus(props.onClosed)
  const change = (next: boolean) => busy || onOpenChange(next)
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <Backdrop onPress={() => outsideCancels && change(false)}>
          <Primitive.Content role="alertdialog" className="dialog" onInteractOutside={stayOpen} {...returnFocus}>
            <header className="dialog-h" data-keep-clear="">
              <Primitive.Title>{title}</Primitive.Title>
              <Primitive.Description>{description}</Primitive.Description>
            </header>
            <footer className="dialog-f">
              <Primitive.Close asChild>
                <Button disabled={busy}>{props.cancelLabel ?? uiTexts.cancel}</Button>
              </Primitive.Close>
              {props.alternative && (
                <Button variant="danger-quiet" disabled={busy} onClick={props.alternative.onSelect}>
                  {props.alternative.label}
                </Button>
              )}
              <Button variant={tone} busy={busy} onClick={props.onConfirm}>
                {busy && busyLabel ? busyLabel : confirmLabel}
              </Button>
            </footer>
          </Primitive.Content>
        </Backdrop>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
