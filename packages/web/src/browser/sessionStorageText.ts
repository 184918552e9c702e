import type { ReadableStore } from '../ui/useStore.ts'

export interface TabText extends ReadableStore<string | undefined> {
  set(next: string | undefined): void
}

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    // a storage that is closed
    return undefined
  }
}

/** A text that this tab keeps over a reload; where its storage is closed, until then. */
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
        // it stays in memory
      }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
