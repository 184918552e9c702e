import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isCallError } from '../../app/callError.ts'
import '../../app/flushMutations.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { consoleTexts } from './texts.ts'

const loginRedirectDelay = 500

/** The session has ended, as against a password that is wrong. */
export const isNotFounder = (error: unknown): boolean => isCallError(error) && error.code === 'NOT_FOUNDER'

/** The same defaults as the members' (no retry, never stale, no polling unless stated), with nothing else in common. */
export function createFounderQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        // Whichever call hears of it first: the gate closes, and no poll goes on.
        if (isNotFounder(error)) closeGate(client)
        else console.error(error)
      },
    }),
    mutationCache: new MutationCache({
      // After what the mutation itself says of its failure: one toast is shown at a time, and this one tells why.
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
        // A browser that believes itself offline asks all the same, and is told: nothing waits in silence.
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

/** Nothing that was loaded for a founder stays for whoever sits here without a session. */
export function closeGate(client: QueryClient): void {
  if (client.getQueryData(sessionKey) === null) return
  client.setQueryData(sessionKey, null)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

export const founderQueryClient = createFounderQueryClient()
