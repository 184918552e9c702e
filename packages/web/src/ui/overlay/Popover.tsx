import type { ReactNode } from 'react'
import { Popover as Primitive } from 'radix-ui'
import './popover.css'

interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Its heading's id. */
  labelledBy: string
  /** The button under which it opens. */
  trigger: ReactNode
  children: ReactNode
}

/** A panel under its button, beside the page and not over it: Escape and a press elsewhere close it. */
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
