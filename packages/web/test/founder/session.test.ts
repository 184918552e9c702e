import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endSession, createFounderQueryClient, sessionKey } from '../../src/founder/console/queryClient.ts'
import { consoleTexts } from '../../src/founder/console/texts.ts'
import { toastSignInFailure } from '../../src/founder/features/session/SignInFailure.tsx'
import { sessionTexts } from '../../src/founder/features/session/texts.ts'
import { dismissToast, toast, toasts } from '../../src/ui/toast/toastStore.ts'

const goTo = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { assign: goTo })
})
afterEach(() => {
  dismissToast()
  goTo.mockClear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const failure = (code: string, status = 401, sentence = `${code} said`) =>
  Object.assign(new Error(`${status}: ${code}`), { status, code, sentence })

describe('texts are those of the specification', () => {
  test('of the gate, the header and the way out', () => {
    expect(consoleTexts).toMatchObject({
      title: 'Founder Dashboard',
      subtitle: 'Platform Administration',
      logout: 'Logout',
      loggedOut: 'Logged Out',
      logoutError: 'Logout Error',
      logoutErrorWhy: 'Failed to end founder session',
      loading: 'Loading founder dashboard...',
      denied: 'Access Denied',
      deniedWhy: "You don't have founder-level access to view this dashboard.",
      returnToLogin: 'Return to Login',
      checkFailed: 'Failed to verify founder authentication',
    })
  })

  test('of a sign-in that works', () => {
    expect([sessionTexts.granted, sessionTexts.grantedHint]).toEqual([
      'Founder Access Granted',
      'Welcome to the founder dashboard!',
    ])
    expect([sessionTexts.denied, sessionTexts.deniedFallback]).toEqual(['Access Denied', 'Founder login failed'])
  })
})

describe('a sign-in that fails', () => {
  test('says what the server said', () => {
    toastSignInFailure(failure('WRONG_CREDENTIALS'))
    expect(toasts.get()).toMatchObject({
      title: 'Authentication Failed',
      description: 'WRONG_CREDENTIALS said',
      tone: 'destructive',
    })
  })

  test('says something where the server said nothing', () => {
    toastSignInFailure(new Error('no answer of ours'))
    expect(toasts.get()).toMatchObject({ title: 'Authentication Failed', description: 'Login failed' })
  })

  test('is an error of the network where no answer came', () => {
    toastSignInFailure(failure('OFFLINE', 0))
    expect(toasts.get()).toMatchObject({
      title: 'Login Error',
      description: 'Network error during login',
      tone: 'destructive',
    })
  })
})

describe('an ended session', () => {
  test('closes the gate whichever call hears of it, and nothing that was loaded stays', async () => {
    const client = createFounderQueryClient()
    client.setQueryData(sessionKey, { isFounder: true, username: 'founder' })
    client.setQueryData(['/api/founder/users'], ['somebody'])
    const query = client.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(failure('NOT_FOUNDER')) })
    await expect(query).rejects.toThrow('NOT_FOUNDER')
    expect(client.getQueryData(sessionKey)).toBeNull()
    expect(client.getQueryData(['/api/founder/users'])).toBeUndefined()
  })

  test('is said where something was to be done, and the login follows after 500 ms', async () => {
    const client = createFounderQueryClient()
    const mutation = client.getMutationCache().build(client, {
      mutationFn: () => Promise.reject(failure('NOT_FOUNDER')),
      // Every mutation of the console reports its failure like this.
      onError: () => toast({ title: 'Scan Failed', tone: 'destructive' }),
    })
    await expect(mutation.execute(undefined)).rejects.toThrow('NOT_FOUNDER')
    expect(toasts.get()).toMatchObject({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
    })
    vi.advanceTimersByTime(499)
    expect(goTo).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(goTo).toHaveBeenCalledExactlyOnceWith('/founder')
  })

  test('is not what a refusal of another kind is', async () => {
    const client = createFounderQueryClient()
    client.setQueryData(sessionKey, { isFounder: true, username: 'founder' })
    const quiet = vi.spyOn(console, 'error').mockReturnValue()
    const query = client.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(failure('UNAVAILABLE', 503)) })
    await expect(query).rejects.toThrow('UNAVAILABLE')
    expect(client.getQueryData(sessionKey)).not.toBeNull()
    quiet.mockRestore()
  })
})

test('queries of the console are asked once, stay as they are and poll only where that is said', () => {
  expect(createFounderQueryClient().getDefaultOptions()).toMatchObject({
    queries: {
      networkMode: 'always',
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    },
    mutations: { networkMode: 'always', retry: false },
  })
})

test('closing the gate twice does nothing more', () => {
  const client = createFounderQueryClient()
  endSession(client)
  client.setQueryData(['x'], 1)
  endSession(client)
  expect(client.getQueryData(['x'])).toBe(1)
})
