import { type RefObject, useEffect } from 'react'

/**
 * Takes the focus when the sheet opens and when a button that had it gives way to another state; closes it
 * on Escape, unless a dialog above has used that key or the focus is elsewhere.
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
