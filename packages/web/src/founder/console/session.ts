import { queryOptions } from '@tanstack/react-query'
import { founderClient } from './client.ts'
import { isNotFounder, sessionKey } from './queryClient.ts'

/** The founder as he is signed in here; null without a session. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  async queryFn() {
    try {
      return await founderClient.verify()
    } catch (error) {
      if (isNotFounder(error)) return null
      throw error
    }
  },
})
