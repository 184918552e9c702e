import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isCallError } from '../../app/callError.ts'
import '../../app/flushMutations.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { consoleTexts } from './texts.ts'

const loginRedirectDelay = 500

/** The founder's session has ended. A wrong password has another code. */
export const isNotFounder = (error: unknown): boolean => isCallError(error) && error.code === 'NOT_FOUNDER'

/** The members' defaults (no retry, never stale, no polling unless requested), with a cache of its own. */
export function createFounderQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        // The first call that finds the session ended removes all queries, which stops all polling.
        if (isNotFounder(error)) endSession(client)
        else console.error(error)
      },
    }),
    mutationCache: new MutationCache({
      // Runs after the mutation's own error handler. One toast is shown at a time; this one explains the reason.
      onSettled(_data, error) {
        if (!isNotFounder(error)) return
        toast({
          title: consoleTexts.unauthorized,
          description: consoleTexts.loggingIn,
          tone: 'destructive',
          stays: true,
        })
        setTimeout(() => location.assign('/founder'), loginRedirectDelay)
      },
    }),
    defaultOptions: {
      queries: {
        // Fetch even if the browser reports being offline, so that an error is shown instead of silent waiting.
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}

export const sessionKey = ['/api/founder/verify']

/** Ends the session in the cache and removes all data loaded for the founder. */
export function endSession(client: QueryClient): void {
  if (client.getQueryData(sessionKey) === null) return
  client.setQueryData(sessionKey, null)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

export const founderQueryClient = createFounderQueryClient()
