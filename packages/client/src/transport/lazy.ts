import { offlineError } from './call.ts'

type Calls<T> = { [Name in keyof T]: (...given: never[]) => Promise<unknown> }

/**
 * Returns calls whose code is loaded with the first call, so that one page's code does not delay every start. A failed
 * load rejects with OFFLINE, and the next call tries again.
 */
export function loadLazily<T extends Calls<T>>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined
  const loadOnce = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw offlineError(error)
    })
    return loaded
  }
  const get = (_: object, name: string) => {
    // Not a thenable: a promise that resolves with this object would await it.
    if (name === 'then') return undefined
    return async (...given: never[]) => {
      const calls = await loadOnce()
      return calls[name as keyof T](...given)
    }
  }
  return new Proxy({}, { get }) as T
}
