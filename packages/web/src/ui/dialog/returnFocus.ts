import { useRef } from 'react'

/** What has the focus, and all that it is in, from the inside. */
function focusedPlaces(): HTMLElement[] {
  const places: HTMLElement[] = []
  for (let place = document.activeElement; place instanceof HTMLElement; place = place.parentElement) places.push(place)
  return places
}

/**
 * For a dialog's content: Radix gives the focus back to the trigger it knows, and a dialog that is opened by state has
 * none. What is marked data-first gets it when the dialog opens, else the first that can. It goes back to what had it,
 * or where that has gone to the nearest place around it that takes it; nowhere where `onClosed` prevents the event.
 */
export function useReturnFocus(onClosed?: (event: Event) => void) {
  const places = useRef<HTMLElement[]>([])
  const focusVisible = useRef(false)
  return {
    onOpenAutoFocus(event: Event) {
      places.current = focusedPlaces()
      focusVisible.current = places.current[0]?.matches(':focus-visible') ?? false
      const first = event.target instanceof Element && event.target.querySelector('[data-first]')
      if (!(first instanceof HTMLElement)) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus(event: Event) {
      onClosed?.(event)
      if (event.defaultPrevented) return
      event.preventDefault()
      const [opener, ...around] = places.current
      opener?.focus()
      for (const place of around) {
        if (document.activeElement !== document.body) return
        place.focus({ preventScroll: true, focusVisible: focusVisible.current })
      }
    },
  }
}
