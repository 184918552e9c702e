import { type ComponentProps, type MouseEvent, type PointerEvent, useRef } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import './dialog.css'

interface ScrimProps extends ComponentProps<typeof Primitive.Overlay> {
  /** A click that began and ended beside the dialog; a text that is marked beyond its edge is none. */
  onPress?: (() => void) | undefined
}

const isBeside = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }) =>
  target === currentTarget

/**
 * What a dialog lies in. The second half of a double click whose first half has opened the dialog does nothing,
 * wherever in it or beside it that comes to fall.
 */
export function Scrim({ onPress, ...rest }: ScrimProps) {
  const isBegunBeside = useRef(false)
  const isClicked = useRef(false)

  function ignoreSecondHalf(event: MouseEvent): void {
    if (event.detail > 1 && !isClicked.current) {
      event.preventDefault()
      event.stopPropagation()
    } else isClicked.current = true
  }

  return (
    <Primitive.Overlay
      {...rest}
      className="scrim"
      onPointerDown={(event: PointerEvent) => (isBegunBeside.current = isBeside(event))}
      onClickCapture={ignoreSecondHalf}
      onClick={(event: MouseEvent) => isBegunBeside.current && isBeside(event) && onPress?.()}
    />
  )
}

/** For the dialog's content: Radix would close it at any press beside it. */
export const stayOpen = (event: Event): void => event.preventDefault()
