import { useSyncExternalStore } from 'react'

/** Anything that can be read and says when it changed; `get` keeps its answer until then. */
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
