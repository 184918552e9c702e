import { createStore, type WritableStore } from '@privity/client/store'

export type TabText = WritableStore<string | undefined>

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    // Storage is blocked.
    return undefined
  }
}

/** A text kept in session storage, so that it survives a reload; if storage is blocked, it is kept in memory only. */
export function createTabText(key: string): TabText {
  const store = createStore(read(key))
  return {
    ...store,
    set(next) {
      try {
        if (next === undefined) sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, next)
      } catch {
        // Storage is blocked: the text stays in memory.
      }
      store.set(next)
    },
  }
}
