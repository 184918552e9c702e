type Hear = (event: PopStateEvent) => void

let hear: Hear | undefined

/**
 * Listens before the router does, as it must be imported before it: Chromium calls the listeners of a window in the
 * order they were added, whether they capture or not, and whoever comes second finds his page already gone.
 */
addEventListener('popstate', (event) => hear?.(event))

/** Tells this one of Back and Forward, before the router; nobody with undefined. */
export function hearBack(next: Hear | undefined): void {
  hear = next
}
