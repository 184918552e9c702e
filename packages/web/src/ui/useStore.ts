import { useSyncExternalStore } from 'react'
import type { Store } from '@privity/client/store'

/** The store's value; `initial` replaces it while a prerendered page is hydrated. */
export function useStore<T>(store: Store<T>, initial = store.get): T {
  return useSyncExternalStore(store.subscribe, store.get, initial)
}
