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
  window.addEventListener('online', online)
  window.addEventListener('offline', offline)
  document.addEventListener('visibilitychange', visibility)
  document.addEventListener('visibilitychange', visible)
  document.addEventListener('resume', visible)
  window.addEventListener('focus', visible)
  window.addEventListener('pageshow', visible)
  return () => {
    window.removeEventListener('online', online)
    window.removeEventListener('offline', offline)
    document.removeEventListener('visibilitychange', visibility)
    document.removeEventListener('visibilitychange', visible)
    document.removeEventListener('resume', visible)
    window.removeEventListener('focus', visible)
    window.removeEventListener('pageshow', visible)
  }
}

/** Whether the user may see the page; false outside browsers. */
export const isPageVisible = (): boolean => typeof document !== 'undefined' && document.visibilityState === 'visible'
