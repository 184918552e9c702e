import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast/toastStore.ts'
import { isCallError } from './callError.ts'
import { coreTexts } from './texts.ts'
import { getJson } from './getJson.ts'
import './flushMutations.ts'

const loginRedirectDelay = 500

/** A session that has ended, as against credentials that are wrong. */
function isSignedOut(error: unknown): boolean {
  return isCallError(error) && error.code === 'NOT_SIGNED_IN'
}

/** For want of a second factor that the organization requires. */
const isFactorMissing = (error: unknown) => isCallError(error) && error.code === 'SECOND_FACTOR_MISSING'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // What ends the work on a page is told by the client, which leaves it.
    onError: (error) => isSignedOut(error) || isFactorMissing(error) || console.error(error),
  }),
  mutationCache: new MutationCache({
    // After what the mutation itself says of its failure: one toast is shown at a time, and this one tells why.
    onSettled(_data, error) {
      if (!isSignedOut(error)) return
      toast({ title: coreTexts.unauthorized, description: coreTexts.loggedOut, tone: 'destructive', stays: true })
      setTimeout(() => location.assign('/api/login'), loginRedirectDelay)
    },
  }),
  defaultOptions: {
    queries: {
      queryFn: ({ queryKey }) => getJson(queryKey.join('/')),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    },
    mutations: { retry: false },
  },
})
