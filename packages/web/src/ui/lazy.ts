import { createStore, type Store } from '@privity/client/store'

/** A value that is undefined until loaded; notifies subscribers then. */
export interface Later<T> extends Store<T | undefined> {
  /** Loads immediately instead of waiting for an idle moment; rejects if loading fails. */
  now(): Promise<T>
}

/** Runs when the browser is idle. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 200)
}

/** Runs an update that may replace the focused element; then focuses the element in its place. */
function keepFocus(update: () => void): void {
  const focused = document.activeElement
  const parent = focused?.parentElement
  const index = parent && focused ? [...parent.children].indexOf(focused) : -1
  update()
  // React renders the change of a store in a microtask.
  queueMicrotask(() => {
    const successor = parent?.children[index]
    if (document.activeElement === document.body && successor instanceof HTMLElement && !focused?.isConnected)
      successor.focus({ preventScroll: true })
  })
}

/** Defers code that the first paint does not need until idle. A failed load is retried by the next subscriber. */
export function loadLater<T>(load: () => Promise<T>): Later<T> {
  const loaded = createStore<T | undefined>(undefined)
  let loading: Promise<T> | undefined
  let asked = false

  async function fetchIt(): Promise<T> {
    try {
      const value = await load()
      keepFocus(() => loaded.set(value))
      return value
    } catch (error) {
      loading = undefined
      throw error
    }
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
    get: loaded.get,
    subscribe(listener) {
      if (!asked) {
        asked = true
        whenIdle(unhurried)
      }
      return loaded.subscribe(listener)
    },
    now,
  }
}
