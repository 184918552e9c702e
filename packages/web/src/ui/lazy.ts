/** A value that is undefined until loaded; notifies subscribers then. */
export interface Later<T> {
  get(): T | undefined
  subscribe(listener: () => void): () => void
  /** Loads immediately instead of waiting for an idle moment; rejects if loading fails. */
  now(): Promise<T>
}

/** Runs when the browser is idle. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 200)
}

/** Defers code that the first paint does not need until idle. A failed load is retried by the next subscriber. */
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
