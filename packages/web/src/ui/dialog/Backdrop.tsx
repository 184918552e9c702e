import { type ComponentProps, type MouseEvent, type PointerEvent, useRef } from 'react'
import { Dialog as Primitive } from 'radix-ui'
import './dialog.css'

interface ScrimProps extends ComponentProps<typeof Primitive.Overlay> {
  /** Called for a click that starts and ends beside the dialog; dragging a selection beyond its edge does not count. */
  onPress?: (() => void) | undefined
}

const isBeside = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }) =>
  target === currentTarget

/** Backdrop of a dialog. Ignores the second click of the double click that opened the dialog, inside the dialog too. */
export function Backdrop({ onPress, ...rest }: ScrimProps) {
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

/** For the dialog's content: prevents Radix from closing it on any press outside. */
export const stayOpen = (event: Event): void => event.preventDefault()
