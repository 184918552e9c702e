import type { ReactNode } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import { X } from 'lucide-react'
import { classes } from '../classes.ts'
import { uiTexts } from '../texts.ts'
import { buttonClass } from '../button/Button.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { Scrim, stayOpen } from './Backdrop.tsx'

export interface DialogProps {
  open: boolean
  /** Absent: only what is in it closes it; there is no Close, and Escape does nothing. */
  onOpenChange?: ((open: boolean) => void) | undefined
  title: string
  description?: ReactNode
  size?: 'lg'
  children?: ReactNode
  /** Actions, right-aligned; stacked on phones with the first one lowest. */
  footer?: ReactNode
  /** For a footer that starts with a `.note`: the note stays on top on phones. */
  stackable?: boolean
  /** Where it prevents the event, the focus does not go back to where it was. */
  onClosed?: (event: Event) => void
}

/** A modal dialog; under 768 px a sheet at the base of the screen. Focus is kept in it and given back. */
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
        <Scrim onPress={() => onOpenChange?.(false)}>
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
        </Scrim>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
