import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * Takes over the focus when the focused button inside is removed or disabled; otherwise it would move to the start of
 * the page. Spread the result on the container.
 */
export function useFocusSuccessor<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const last = useRef<{ element: Element; focusVisible: boolean }>(undefined)
  useLayoutEffect(() => {
    if (!last.current) return
    const { element, focusVisible } = last.current
    if (element.isConnected && !element.matches(':disabled')) return
    last.current = undefined
    ref.current?.focus({ preventScroll: true, focusVisible })
  })
  return {
    ref,
    tabIndex: -1,
    onFocus({ target }: FocusEvent<E>) {
      // Ignore events that bubble from a dialog's portal.
      if (ref.current?.contains(target))
        last.current = { element: target, focusVisible: target.matches(':focus-visible') }
    },
    // React fires no blur event when it removes the focused element itself.
    onBlur() {
      last.current = undefined
    },
  }
}
