import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../src/app/queryClient.ts'
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

async function mutationFailingWith(code: string) {
  const error = Object.assign(new Error(`401: ${code}`), { status: 401, code, sentence: code })
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => Promise.reject(error),
    // Every mutation of a screen reports its failure like this.
    onError: () => toast({ title: 'Own words', tone: 'destructive' }),
  })
  await expect(mutation.execute(undefined)).rejects.toBe(error)
}

test('a mutation refused because the session ended says so and goes to the login after 500 ms', async () => {
  await mutationFailingWith('NOT_SIGNED_IN')
  expect(toasts.get()).toMatchObject({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    tone: 'destructive',
  })
  vi.advanceTimersByTime(499)
  expect(goTo).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(goTo).toHaveBeenCalledExactlyOnceWith('/api/login')
})

test('wrong credentials are not an ended session', async () => {
  await mutationFailingWith('WRONG_CREDENTIALS')
  expect(toasts.get()).toMatchObject({ title: 'Own words' })
  vi.advanceTimersByTime(10_000)
  expect(goTo).not.toHaveBeenCalled()
})

test('nothing is tried again, refetched on focus or polled unless a query says so', () => {
  expect(queryClient.getDefaultOptions()).toMatchObject({
    queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchInterval: false },
    mutations: { retry: false },
  })
})
