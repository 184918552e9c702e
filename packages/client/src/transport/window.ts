/** Tells when the network comes and goes and when the page is looked at; answers what stops it. Not outside a browser. */
export function followWindow(heard: { online(): void; offline(): void; visible(): void }): () => void {
  if (typeof window === 'undefined') return () => {}
  const { online, offline } = heard
  const visible = () => {
    if (document.visibilityState === 'visible') heard.visible()
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
