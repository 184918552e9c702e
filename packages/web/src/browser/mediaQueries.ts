import { useCallback, useSyncExternalStore } from 'react'

/** Whether the media query matches, updated when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Touch devices. */
export const fingers = '(pointer: coarse)'

/** Windows too small for two panes: the dashboard shows either the list or the chat. */
export const phone = '(max-width: 767px), (max-height: 519px)'
