import { MutationObserver, notifyManager, type QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'

// Each client alone: the one is not to be right by what the other has loaded.
beforeEach(() => vi.resetModules())

test.each<[string, () => Promise<QueryClient>]>([
  ['a member', async () => (await import('../../src/app/queryClient.ts')).queryClient],
  ['the founder', async () => (await import('../../src/founder/console/queryClient.ts')).founderQueryClient],
])('what %s has begun is told before the next event, which may be a second click', async (_who, load) => {
  notifyManager.setScheduler((tell) => setTimeout(tell))
  const act = new MutationObserver(await load(), { mutationFn: () => new Promise(() => undefined) })
  const heard = vi.fn()
  // As a component listens to it.
  const stop = act.subscribe(notifyManager.batchCalls(({ isPending }) => heard(isPending)))
  void act.mutate()
  await Promise.resolve()
  expect(heard).toHaveBeenCalledExactlyOnceWith(true)
  stop()
})
