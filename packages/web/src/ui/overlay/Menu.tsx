import type { ComponentProps, ReactNode } from 'react'
import { DropdownMenu as Primitive } from 'radix-ui'
import { classes } from '../classes.ts'
import './menu.css'

interface MenuProps {
  trigger: ReactNode
  label?: string
  /** For a menu whose code came only after its button was pressed. */
  defaultOpen?: boolean
  children: ReactNode
}

/** A menu under the button given as `trigger`; arrow keys, typing and Escape work as everywhere. */
export function Menu({ trigger, label, defaultOpen = false, children }: MenuProps) {
  return (
    <Primitive.Root modal={false} defaultOpen={defaultOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="menu" align="end" sideOffset={6} collisionPadding={12} aria-label={label}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface MenuAtProps {
  /** The point of the window that it opens at. */
  x: number
  y: number
  label: string
  /** Gets the focus back. */
  opener: HTMLElement | null
  onClose: () => void
  children: ReactNode
}

/** A menu without a button, open while it is drawn. */
export function MenuAt({ x, y, label, opener, onClose, children }: MenuAtProps) {
  return (
    <Primitive.Root modal={false} open onOpenChange={(open) => open || onClose()}>
      <Primitive.Trigger asChild>
        <span className="menu-at" style={{ left: x, top: y }} aria-hidden="true" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className="menu"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          aria-labelledby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
          }}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** `asChild` makes a link of it: give the link as the only child. */
export function MenuItem({ danger, className, ...rest }: ComponentProps<typeof Primitive.Item> & { danger?: boolean }) {
  return <Primitive.Item className={classes('menu-item', danger && 'menu-item-danger', className)} {...rest} />
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <Primitive.Label className="menu-head">{children}</Primitive.Label>
}

export function MenuRule() {
  return <Primitive.Separator className="menu-rule" />
}
