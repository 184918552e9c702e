/** Reads as undefined until the code is there, and says when it is. */
export interface Later<T> {
  get(): T | undefined
  subscribe(listener: () => void): () => void
}

/** Runs once the browser has nothing more urgent to do. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 200)
}

/**
 * Code that the first picture of a page does not need: fetched when the page stands, and undefined until it
 * is there. A fetch that fails is tried again by the next one who wants it.
 */
export function loadLater<T>(load: () => Promise<T>): Later<T> {
  let loaded: T | undefined
  let started = false
  const listeners = new Set<() => void>()

  function start() {
    load().then(
      (value) => {
        loaded = value
        for (const listener of listeners) listener()
      },
      (error: unknown) => {
        started = false
        console.error(error)
      },
    )
  }

  return {
    get: () => loaded,
    subscribe(listener) {
      listeners.add(listener)
      if (!started) {
        started = true
        whenIdle(start)
      }
      return () => listeners.delete(listener)
    },
  }
}
