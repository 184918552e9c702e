import { useRef } from 'react'

/**
 * For a dialog's content: Radix gives the focus back to the trigger it knows, and a dialog that is opened by state has
 * none. It goes back to what had it; nowhere where `onClosed` prevents the event.
 */
export function useReturnFocus(onClosed?: (event: Event) => void) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      onClosed?.(event)
      if (event.defaultPrevented) return
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}
