/**
 * Calls the handlers when the network goes or returns and when the page becomes visible or hidden. Returns a function
 * that stops it. Does nothing outside browsers.
 */
export function watchWindow(handlers: {
  online(): void
  offline(): void
  /** The page became visible, or hidden. */
  visibility(): void
  visible(): void
}): () => void {
  if (typeof window === 'undefined') return () => {}
  const { online, offline, visibility } = handlers
  const visible = () => {
    if (document.visibilityState === 'visible') handlers.visible()
  }
  const stopping = new AbortController()
  const { signal } = stopping
  window.addEventListener('online', online, { signal })
  window.addEventListener('offline', offline, { signal })
  document.addEventListener('visibilitychange', visibility, { signal })
  document.addEventListener('visibilitychange', visible, { signal })
  document.addEventListener('resume', visible, { signal })
  window.addEventListener('focus', visible, { signal })
  window.addEventListener('pageshow', visible, { signal })
  return () => stopping.abort()
}

/** Whether the user may see the page; false outside browsers. */
export const isPageVisible = (): boolean => typeof document !== 'undefined' && document.visibilityState === 'visible'
