import { useCallback, useSyncExternalStore } from 'react'

/** Whether the media query holds now, followed as the window changes. */
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

/** Where one points with fingers. */
export const fingers = '(pointer: coarse)'

/** Where the dashboard shows the list or the chat, one at a time: two panes need width and height. */
export const phone = '(max-width: 767px), (max-height: 519px)'
