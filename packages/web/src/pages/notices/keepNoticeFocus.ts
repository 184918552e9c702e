/**
 * Returns the focus when a notice goes with it: to where it was before it entered the notices, or else to the page's
 * content. A ref callback for the region of the notices.
 */
export function keepNoticeFocus(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined
  let before: HTMLElement | undefined
  let last: HTMLElement | undefined

  function focused({ target, relatedTarget }: FocusEvent): void {
    const isEntered = !(relatedTarget instanceof Node && region?.contains(relatedTarget))
    if (isEntered && !last) before = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
    last = target instanceof HTMLElement ? target : undefined
  }

  function left(): void {
    // Chromium reports the loss before it removes the element.
    queueMicrotask(() => {
      if (last?.isConnected && document.activeElement !== last) last = undefined
    })
  }

  function recover(): void {
    if (!last || last.isConnected) return
    last = undefined
    if (document.activeElement !== document.body) return
    const place = before?.isConnected ? before : document.getElementById('main')
    place?.focus({ preventScroll: true })
  }

  const observer = new MutationObserver(recover)
  observer.observe(region, { subtree: true, childList: true })
  region.addEventListener('focusin', focused)
  region.addEventListener('focusout', left)
  return () => {
    observer.disconnect()
    region.removeEventListener('focusin', focused)
    region.removeEventListener('focusout', left)
  }
}
