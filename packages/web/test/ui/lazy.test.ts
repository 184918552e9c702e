import { afterEach, expect, it, vi } from 'vitest'
import { loadLater } from '../../src/ui/lazy.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A browser whose idle moment is triggered by the test, and code loaded through it. */
function browser() {
  const idle: (() => void)[] = []
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  const fetches: PromiseWithResolvers<string>[] = []
  const later = loadLater(() => {
    const fetched = Promise.withResolvers<string>()
    fetches.push(fetched)
    return fetched.promise
  })
  const quiet = () => idle.splice(0).forEach((run) => run())
  return { later, fetches, quiet }
}

it('is fetched in a quiet moment after the first one wanted it, and says when it is there', async () => {
  const { later, fetches, quiet } = browser()
  const heard = vi.fn<() => void>()
  later.subscribe(heard)
  expect(fetches).toHaveLength(0)
  quiet()
  expect(later.get()).toBeUndefined()
  fetches[0]?.resolve('code')
  await expect.poll(() => heard).toHaveBeenCalledOnce()
  expect(later.get()).toBe('code')
})

it('is fetched at once where it is needed at once, and once in all', async () => {
  const { later, fetches, quiet } = browser()
  later.subscribe(() => {})
  const asked = later.now()
  expect(fetches).toHaveLength(1)
  quiet()
  fetches[0]?.resolve('code')
  expect(await asked).toBe('code')
  expect(await later.now()).toBe('code')
  expect(fetches).toHaveLength(1)
})

it('says that a fetch has failed, and is fetched again by the next one who needs it', async () => {
  const { later, fetches } = browser()
  const asked = later.now()
  fetches[0]?.reject(new Error('no network'))
  await expect(asked).rejects.toThrow('no network')
  expect(later.get()).toBeUndefined()
  const again = later.now()
  fetches[1]?.resolve('code')
  expect(await again).toBe('code')
})
