import { useSyncExternalStore } from 'react'

/** A value with change notification; `get` must return the same value until the next change. */
export interface ReadableStore<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.get(),
    () => store.get(),
  )
}
