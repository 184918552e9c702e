import type { FocusEvent, ReactNode } from 'react'
import { Tooltip as Primitive } from 'radix-ui'
import './tooltip.css'

/** A focus that returns after a touch opens no tooltip: it would cover its surroundings until the next touch. */
function ignoreUnseenFocus(event: FocusEvent): void {
  if (!event.target.matches(':focus-visible')) event.preventDefault()
}

/** Describes an icon button or shows a truncated text in full. The child must accept pointer events. */
export function Tooltip({ text, side, children }: { text: string; side?: 'top' | 'bottom'; children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={400}>
      <Primitive.Root>
        <Primitive.Trigger asChild onFocus={ignoreUnseenFocus}>
          {children}
        </Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content className="tooltip" side={side ?? 'bottom'} sideOffset={6} collisionPadding={12}>
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
