import type { Changing, ChangingDeps } from './rotateKeys.ts'
import { loadedLater } from '../../transport/lazy.ts'

/** Whether all keys are being replaced, in this tab or another, and how; its code is fetched when it comes to that. */
export function createChanging(deps: Omit<ChangingDeps, 'running'>): Changing & { isRunning(): boolean } {
  let isRunning = false
  const later = loadedLater<Changing>(async () =>
    (await import('./lazyKeys.ts')).createChanging({ ...deps, running: (now) => void (isRunning = now) }),
  )
  return {
    isRunning: () => isRunning,
    run: later.run,
    replaced: later.replaced,
    async hear(notice) {
      // At once: the end of a session may be told before the rest is fetched.
      isRunning = true
      await later.hear(notice).catch(() => (isRunning = false))
    },
  }
}
