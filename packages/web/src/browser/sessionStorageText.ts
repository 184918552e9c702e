import type { ReadableStore } from '../ui/useStore.ts'

export interface TabText extends ReadableStore<string | undefined> {
  set(next: string | undefined): void
}

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
  let text = read(key)
  const listeners = new Set<() => void>()
  return {
    get: () => text,
    set(next) {
      if (next === text) return
      text = next
      try {
        if (next === undefined) sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, next)
      } catch {
        // Storage is blocked: the text stays in memory.
      }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
