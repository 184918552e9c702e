import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast/toastStore.ts'
import { isCallError } from './callError.ts'
import { coreTexts } from './texts.ts'
import './flushMutations.ts'

const loginRedirectDelay = 500

/** The session has ended. Wrong credentials have other codes. */
function isSignedOut(error: unknown): boolean {
  return isCallError(error) && error.code === 'NOT_SIGNED_IN'
}

/** The organization requires a second factor that the user lacks. */
const isFactorMissing = (error: unknown) => isCallError(error) && error.code === 'SECOND_FACTOR_MISSING'

/** Fetches a path as JSON. Throws for every status but success, with a message of the form `status: text`. */
export async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { credentials: 'include' })
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`)
  return (await response.json()) as T
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The client handles these two errors and leaves the page, so they are not logged.
    onError: (error) => isSignedOut(error) || isFactorMissing(error) || console.error(error),
  }),
  mutationCache: new MutationCache({
    // Runs after the mutation's own error handler. Only one toast is shown at a time, and this one explains the reason.
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
