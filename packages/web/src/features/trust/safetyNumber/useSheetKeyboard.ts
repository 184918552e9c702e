import { type RefObject, useEffect } from 'react'

/**
 * Focuses the sheet when it opens, and when the focused button disappears because the state changed. Escape closes it,
 * unless a dialog above has handled the key or the focus is elsewhere.
 */
export function useSheetKeyboard(sheet: RefObject<HTMLElement | null>, state: unknown, onClose: () => void): void {
  useEffect(() => sheet.current?.focus({ preventScroll: true }), [sheet])

  useEffect(() => {
    if (document.activeElement === document.body) sheet.current?.focus({ preventScroll: true })
  }, [sheet, state])

  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const focused = document.activeElement
      if (focused === document.body || sheet.current?.contains(focused)) onClose()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [sheet, onClose])
}
