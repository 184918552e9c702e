import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * For what stays when the button in it that has the focus goes or is disabled: it takes the focus over, which would
 * fall to the start of the page. All of this goes on its element.
 */
export function useFocusHeir<E extends HTMLElement>() {
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
      // not what is in a dialog, whose events come this way too
      if (ref.current?.contains(target))
        last.current = { element: target, focusVisible: target.matches(':focus-visible') }
    },
    // React tells of none while it takes the element away itself.
    onBlur() {
      last.current = undefined
    },
  }
}
