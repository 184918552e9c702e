import { CallError } from './callError.ts'

type Calls<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> }

/** Returns calls that each run `call` with their name. Not a thenable, so that a promise may resolve with them. */
const proxyCalls = <T extends Calls<T>>(call: (name: keyof T, args: never[]) => Promise<unknown>): T =>
  new Proxy({} as T, {
    get: (_, name) => (name === 'then' ? undefined : (...args: never[]) => call(name as keyof T, args)),
  })

/** Returns calls of the object that `find` returns at the time of each call; they reject if it rejects. */
export const forwardCalls = <T extends Calls<T>>(find: () => Promise<T>): T =>
  proxyCalls<T>(async (name, args) => (await find())[name](...args))

/**
 * Returns the error of code that could not be loaded. Where the server answers, a reload brings it: the server has
 * another version, or the browser keeps the failure of a load without a network. Otherwise another attempt can succeed.
 */
export async function loadError(cause?: unknown): Promise<CallError> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  return new CallError(answer && answer.status < 500 ? 'CODE_GONE' : 'OFFLINE', { cause })
}

/**
 * Returns calls whose code is loaded with the first call, so that one page's code does not delay every start. A failed
 * load rejects with OFFLINE or CODE_GONE, and the next call tries again.
 */
export function loadLazily<T extends Calls<T>>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined
  const loadOnce = () => {
    loaded ??= load().catch(async (error: unknown) => {
      loaded = undefined
      throw await loadError(error)
    })
    return loaded
  }
  return proxyCalls<T>(async (name, args) => (await loadOnce())[name](...args))
}
