type Listener = (event: PopStateEvent) => void

let listener: Listener | undefined

/**
 * Must be imported before the router, so that this listener runs first: Chromium calls a window's listeners in order of
 * registration, capturing or not, and after the router's the page is already gone.
 */
addEventListener('popstate', (event) => listener?.(event))

/** Sets the listener called for Back and Forward before the router's; undefined removes it. */
export function setBackListener(next: Listener | undefined): void {
  listener = next
}
