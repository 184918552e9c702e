import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coreTexts } from '../../src/app/texts.ts'
import { loadedSoon } from '../../src/app/useWanted.ts'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  dismissToast()
  vi.useRealTimers()
})

test('code that the server leaves waiting for 8 seconds is given up, which a toast says', async () => {
  const loading = Promise.withResolvers<string>()
  const result = loadedSoon(loading.promise)
  await vi.advanceTimersByTimeAsync(7_999)
  expect(toasts.get()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(toasts.get()?.title).toBe(coreTexts.stillLoading)
  loading.resolve('too late')
  expect(await result).toBeUndefined()
})

test('code that is loaded or refused in time causes no toast later', async () => {
  expect(await loadedSoon(Promise.resolve('code'))).toBe('code')
  await expect(loadedSoon(Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(toasts.get()).toBeUndefined()
})
