import { type ComponentProps, type MouseEvent, useRef } from 'react'
import { classes } from '../classes.ts'
import { Spinner } from '../feedback/Progress.tsx'
import './button.css'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'

interface ButtonLook {
  variant?: Variant
  size?: 'sm' | 'lg'
  /** Square, for an icon without text; requires an aria-label. */
  icon?: boolean
  block?: boolean
}

type ButtonProps = ButtonLook &
  ComponentProps<'button'> & {
    /**
     * Shows a spinner and ignores clicks, with unchanged width. A button with this property, even if false, also
     * ignores the second click of a double click.
     */
    busy?: boolean
  }

/** Class names of a button, for a link that looks like one. */
export function buttonClass({ variant = 'secondary', size, icon, block }: ButtonLook = {}): string {
  return classes('btn', `btn-${variant}`, size && `btn-${size}`, icon && 'btn-icon', block && 'btn-block')
}

export function Button(props: ButtonProps) {
  const { variant, size, icon, block, busy = false, className, onClick, children, style, ...rest } = props
  const idleWidth = useRef<number>(undefined)

  function click(event: MouseEvent<HTMLButtonElement>) {
    // The second click of a double click arrives before the first has made the button busy.
    if (busy || (props.busy !== undefined && event.detail > 1)) return event.preventDefault()
    // Measure on click: measuring on each render would force a layout for every button of a long page.
    idleWidth.current = event.currentTarget.offsetWidth
    onClick?.(event)
  }

  return (
    <button
      type="button"
      className={classes(buttonClass({ variant, size, icon, block }), className)}
      aria-busy={busy || undefined}
      style={busy && !block ? { ...style, minWidth: idleWidth.current } : style}
      onClick={click}
      {...rest}
    >
      {busy && <Spinner />}
      {busy && icon ? null : children}
    </button>
  )
}

/** A button that looks like a link. */
export const LinkButton = (props: ComponentProps<'button'>) => <button type="button" className="linkbtn" {...props} />
