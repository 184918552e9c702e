import { queryOptions } from '@tanstack/react-query'
import { founderClient } from './client.ts'
import { isNotFounder, sessionKey } from './queryClient.ts'

const signedInKey = 'privity.founder'

/** Whether a founder was signed in here. If not, the form is shown without asking the server first. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(signedInKey) !== null
  } catch {
    return true
  }
}

export function rememberSignIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(signedInKey, '1')
    else localStorage.removeItem(signedInKey)
  } catch {
    // Storage is blocked: the server is asked every time.
  }
}

/** The founder's session; null if not signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  async queryFn() {
    try {
      const session = await founderClient.verify()
      rememberSignIn(true)
      return session
    } catch (error) {
      if (isNotFounder(error)) {
        rememberSignIn(false)
        return null
      }
      throw error
    }
  },
})
