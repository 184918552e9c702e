/** Reads as undefined until the code is there, and says when it is. */
export interface Later<T> {
  get(): T | undefined
  subscribe(listener: () => void): () => void
  /** Fetches it without waiting for a quiet moment; fails where the fetch does. */
  now(): Promise<T>
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
  let loading: Promise<T> | undefined
  let asked = false
  const listeners = new Set<() => void>()

  async function fetchIt(): Promise<T> {
    try {
      loaded = await load()
    } catch (error) {
      loading = undefined
      throw error
    }
    for (const listener of listeners) listener()
    return loaded
  }

  function now(): Promise<T> {
    loading ??= fetchIt()
    return loading
  }

  function unhurried() {
    now().catch((error: unknown) => {
      asked = false
      console.error(error)
    })
  }

  return {
    get: () => loaded,
    subscribe(listener) {
      listeners.add(listener)
      if (!asked) {
        asked = true
        whenIdle(unhurried)
      }
      return () => listeners.delete(listener)
    },
    now,
  }
}
