import { useRef } from 'react'

/**
 * For a dialog's content: Radix gives the focus back to the trigger it knows, and a dialog that is opened by state has
 * none. What is marked data-first gets it when the dialog opens, else the first that can. It goes back to what had it; nowhere where `onClosed` prevents the event.
 */
export function useReturnFocus(onClosed?: (event: Event) => void) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement
      const first = event.target instanceof Element && event.target.querySelector('[data-first]')
      if (!(first instanceof HTMLElement)) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus(event: Event) {
      onClosed?.(event)
      if (event.defaultPrevented) return
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}
