import type { ReactNode } from 'react'
import { Tooltip as Primitive } from 'radix-ui'
import './tooltip.css'

/** Words for a control that shows only an icon, or the whole of a shortened text. The child takes the pointer. */
export function Tooltip({ text, side, children }: { text: string; side?: 'top' | 'bottom'; children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={400}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content className="tooltip" side={side ?? 'bottom'} sideOffset={6} collisionPadding={12}>
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
