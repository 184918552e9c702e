import type { KeyRotation, KeyRotationDeps } from './rotateKeys.ts'
import { loadLazily } from '../../transport/lazy.ts'

/** The key rotation with its code loaded on first use; `isRunning` is known at once. */
export function createLazyKeyRotation(deps: Omit<KeyRotationDeps, 'running'>): KeyRotation & { isRunning(): boolean } {
  let isRunning = false
  const later = loadLazily<KeyRotation>(async () =>
    (await import('./lazyKeys.ts')).createKeyRotation({ ...deps, running: (now) => void (isRunning = now) }),
  )
  return {
    isRunning: () => isRunning,
    run: later.run,
    replaced: later.replaced,
    async hear(notice) {
      // Set before the code is loaded: the session may end meanwhile.
      isRunning = true
      await later.hear(notice).catch(() => (isRunning = false))
    },
  }
}
