import type { ComponentProps, ReactNode } from 'react'
import { DropdownMenu as Primitive } from 'radix-ui'
import { classes } from '../classes.ts'
import './menu.css'

interface MenuProps {
  trigger: ReactNode
  label?: string
  /** True if the button was pressed before the menu's code was loaded. */
  defaultOpen?: boolean
  children: ReactNode
}

/** A menu below its trigger, with arrow keys, typeahead and Escape. */
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
  /** Position in the window. */
  x: number
  y: number
  label: string
  /** Gets the focus back on closing. */
  opener: HTMLElement | null
  onClose: () => void
  children: ReactNode
}

/** A menu without a button, open while it is rendered. */
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

/** With `asChild`, renders its only child, for example a link, as the item. */
export function MenuItem({ danger, className, ...rest }: ComponentProps<typeof Primitive.Item> & { danger?: boolean }) {
  return <Primitive.Item className={classes('menu-item', danger && 'menu-item-danger', className)} {...rest} />
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <Primitive.Label className="menu-head">{children}</Primitive.Label>
}

export function MenuRule() {
  return <Primitive.Separator className="menu-rule" />
}
