import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance in px from the end within which the reader counts as being at the end. */
const slack = 32
const nearTop = 400

interface Ends {
  /** Key of the first entry; a change means that entries above were added or removed. */
  oldest: string | undefined
  /** Called when the view is near the top, or when everything fits. */
  onNearTop: () => void
}

export interface Stick {
  scroller: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  atNewest: boolean
  goToNewest: () => void
}

/**
 * Keeps the view at the newest message, when opened and as it grows, unless the reader has scrolled up. Keeps the
 * position when older messages are added above.
 */
export function useStickToNewest({ oldest, onNearTop }: Ends): Stick {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const fromEnd = useRef(0)
  const pinned = useRef(true)
  const height = useRef(0)
  const viewHeight = useRef(0)
  const [atNewest, setAtNewest] = useState(true)

  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    height.current = element.scrollHeight
    viewHeight.current = element.clientHeight
    fromEnd.current = element.scrollHeight - element.scrollTop
    pinned.current = fromEnd.current - element.clientHeight <= slack
    setAtNewest(pinned.current)
  }, [])

  const goToNewest = useCallback(() => {
    pinned.current = true
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
    measure()
  }, [measure])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element) element.scrollTop = pinned.current ? element.scrollHeight : element.scrollHeight - fromEnd.current
  }, [oldest])

  useEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (!element || !inner) return
    const near = () => {
      if (element.scrollTop < nearTop) onNearTop()
    }
    const scrolled = () => {
      // A scroll caused by growing content or a shrinking view does not mean that the reader left the end.
      const resizes = element.scrollHeight !== height.current || element.clientHeight !== viewHeight.current
      if (pinned.current && resizes) return
      measure()
      near()
    }
    const resized = new ResizeObserver(() => {
      if (pinned.current) element.scrollTop = element.scrollHeight
      height.current = element.scrollHeight
      viewHeight.current = element.clientHeight
      fromEnd.current = element.scrollHeight - element.scrollTop
      near()
    })
    resized.observe(element)
    resized.observe(inner)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [measure, onNearTop])

  return { scroller, content, atNewest, goToNewest }
}
