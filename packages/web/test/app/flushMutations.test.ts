import { MutationObserver, notifyManager, type QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'

// Load each client separately, so that neither benefits from modules that the other has loaded.
beforeEach(() => vi.resetModules())

test.each<[string, () => Promise<QueryClient>]>([
  ['a member', async () => (await import('../../src/app/queryClient.ts')).queryClient],
  ['the founder', async () => (await import('../../src/founder/console/queryClient.ts')).founderQueryClient],
])('what %s has begun is told before the next event, which may be a second click', async (_who, load) => {
  notifyManager.setScheduler((tell) => setTimeout(tell))
  const act = new MutationObserver(await load(), { mutationFn: () => new Promise(() => undefined) })
  const heard = vi.fn()
  // Listen as a component does.
  const stop = act.subscribe(notifyManager.batchCalls(({ isPending }) => heard(isPending)))
  void act.mutate()
  await Promise.resolve()
  expect(heard).toHaveBeenCalledExactlyOnceWith(true)
  stop()
})
