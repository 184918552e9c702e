import type { ReactNode } from 'react'
import { Popover as Primitive } from 'radix-ui'
import './popover.css'

interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Id of the heading. */
  labelledBy: string
  /** The button below which it opens. */
  trigger: ReactNode
  children: ReactNode
}

/** A non-modal panel below its button; Escape or a press outside closes it. */
export function Popover({ open, onOpenChange, labelledBy, trigger, children }: PopoverProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className="popover"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-labelledby={labelledBy}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
