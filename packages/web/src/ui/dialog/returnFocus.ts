import { useRef } from 'react'

/** The focused element and its ancestors, innermost first. */
function focusedPlaces(): HTMLElement[] {
  const places: HTMLElement[] = []
  for (let place = document.activeElement; place instanceof HTMLElement; place = place.parentElement) places.push(place)
  return places
}

/**
 * Focus handling for a dialog's content, because Radix returns the focus only to its own trigger. On opening, focuses
 * the element with data-first, or the first focusable one. On closing, returns the focus to the element that had it or
 * to its nearest focusable ancestor, unless `onClosed` prevents the event.
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
