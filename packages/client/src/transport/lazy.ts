import { offlineError } from './call.ts'

type Calls<T> = { [Name in keyof T]: (...given: never[]) => Promise<unknown> }

/**
 * Calls whose code is fetched with the first of them: what one page needs must not hold up every start. Where it cannot
 * be fetched they fail with OFFLINE, like any call without the network, and the next one fetches it again.
 */
export function loadedLater<T extends Calls<T>>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined
  const loadOnce = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw offlineError(error)
    })
    return loaded
  }
  const get = (_: object, name: string) => {
    // Else a promise that resolves with the calls would take them for one.
    if (name === 'then') return undefined
    return async (...given: never[]) => {
      const calls = await loadOnce()
      return calls[name as keyof T](...given)
    }
  }
  return new Proxy({}, { get }) as T
}
