import { queryOptions } from '@tanstack/react-query'
import { founderClient } from './client.ts'
import { rememberSignIn } from './sessionHint.ts'
import { isNotFounder, sessionKey } from './queryClient.ts'

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
