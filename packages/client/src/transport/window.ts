/**
 * Calls the handlers when the network goes or returns and when the page becomes visible. Returns a function that stops
 * it. Does nothing outside browsers.
 */
export function watchWindow(handlers: { online(): void; offline(): void; visible(): void }): () => void {
  if (typeof window === 'undefined') return () => {}
  const { online, offline } = handlers
  const visible = () => {
    if (document.visibilityState === 'visible') handlers.visible()
  }
  window.addEventListener('online', online)
  window.addEventListener('offline', offline)
  document.addEventListener('visibilitychange', visible)
  document.addEventListener('resume', visible)
  window.addEventListener('focus', visible)
  window.addEventListener('pageshow', visible)
  return () => {
    window.removeEventListener('online', online)
    window.removeEventListener('offline', offline)
    document.removeEventListener('visibilitychange', visible)
    document.removeEventListener('resume', visible)
    window.removeEventListener('focus', visible)
    window.removeEventListener('pageshow', visible)
  }
}
