import type { ReactNode } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import { uiTexts } from '../texts.ts'
import { Button } from '../button/Button.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { Scrim, stayOpen } from './Backdrop.tsx'

interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  confirmLabel: string
  /** Shown on the confirm button while busy. */
  busyLabel?: string
  busy?: boolean
  tone?: 'danger' | 'primary'
  onConfirm: () => void
  /** Another way to go on. */
  alternative?: { label: string; onSelect: () => void } | undefined
  /** For a question whose wrong answer costs nothing: a click outside it is Cancel. */
  outsideCancels?: boolean
  /** Prevent the event to give the focus elsewhere than to what had it before. */
  onClosed?: (event: Event) => void
}

/** Asks before something is done. Clicks outside do nothing unless they may cancel; Escape and Cancel close it while idle. */
export function Confirm(props: ConfirmProps) {
  const { open, onOpenChange, title, description, confirmLabel, busyLabel, busy = false, tone = 'danger' } = props
  const { outsideCancels = false } = props
  const returnFocus = useReturnFocus(props.onClosed)
  const change = (next: boolean) => busy || onOpenChange(next)
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <Scrim onPress={() => outsideCancels && change(false)}>
          <Primitive.Content role="alertdialog" className="dialog" onInteractOutside={stayOpen} {...returnFocus}>
            <header className="dialog-h" data-keep-clear="">
              <Primitive.Title>{title}</Primitive.Title>
              <Primitive.Description>{description}</Primitive.Description>
            </header>
            <footer className="dialog-f">
              <Primitive.Close asChild>
                <Button disabled={busy}>{uiTexts.cancel}</Button>
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
        </Scrim>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
