import type { ReactNode } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import { X } from 'lucide-react'
import { classes } from '../classes.ts'
import { uiTexts } from '../texts.ts'
import { Button, buttonClass } from '../button/Button.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { Backdrop, stayOpen } from './Backdrop.tsx'

export interface DialogProps {
  open: boolean
  /** If absent, only the content closes the dialog: there is no close button, and Escape has no effect. */
  onOpenChange?: ((open: boolean) => void) | undefined
  title: string
  description?: ReactNode
  size?: 'lg' | 'full'
  children?: ReactNode
  /** Actions, aligned right; stacked on phones with the first one at the bottom. */
  footer?: ReactNode
  /** For a footer that starts with a `.note`: keeps the note on top on phones. */
  stackable?: boolean
  /** Call preventDefault to move the focus elsewhere instead of returning it. */
  onClosed?: (event: Event) => void
}

/** A modal dialog; below 768 px a sheet at the bottom. Traps the focus and returns it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size,
  children,
  footer,
  stackable,
  onClosed,
}: DialogProps) {
  const returnFocus = useReturnFocus(onClosed)
  return (
    <Primitive.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <Primitive.Portal>
        <Backdrop onPress={() => onOpenChange?.(false)}>
          <Primitive.Content
            className={classes('dialog', size && `dialog-${size}`)}
            onInteractOutside={stayOpen}
            {...returnFocus}
            {...(description ? {} : { 'aria-describedby': undefined })}
          >
            <header className="dialog-h" data-keep-clear="">
              <Primitive.Title>{title}</Primitive.Title>
              {description && <Primitive.Description>{description}</Primitive.Description>}
              {onOpenChange && (
                <Primitive.Close
                  className={buttonClass({ variant: 'ghost', icon: true })}
                  aria-label={uiTexts.close}
                  title={uiTexts.close}
                >
                  <X className="ic" />
                </Primitive.Close>
              )}
            </header>
            {children && <div className="dialog-b">{children}</div>}
            {footer && <footer className={classes('dialog-f', stackable && 'stackable')}>{footer}</footer>}
          </Primitive.Content>
        </Backdrop>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface DialogButtonsProps {
  label: string
  busyLabel?: string
  busy?: boolean
  disabled?: boolean
  tone?: 'primary' | 'danger'
  /** Id of the form to submit; else the button calls `onConfirm`. */
  form?: string
  onConfirm?: () => void
  onCancel: () => void
}

/** Footer with Cancel and the main action. */
export function DialogButtons(props: DialogButtonsProps) {
  const { label, busyLabel = label, busy = false, disabled, tone = 'primary', form, onConfirm, onCancel } = props
  return (
    <>
      <Button disabled={busy} onClick={onCancel}>
        {uiTexts.cancel}
      </Button>
      <Button
        type={form === undefined ? 'button' : 'submit'}
        form={form}
        variant={tone}
        disabled={disabled}
        busy={busy}
        onClick={onConfirm}
      >
        {busy ? busyLabel : label}
      </Button>
    </>
  )
}
