import type { ReadableStore } from '../../ui/useStore.ts'

/** What the browser lets this site do; `unsupported` where it has no notifications at all. */
export type Permission = 'unsupported' | 'default' | 'granted' | 'denied'

const listeners = new Set<() => void>()
let watching = false

const read = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

function tell(): void {
  for (const listener of listeners) listener()
}

/** Hears of a change made in the browser's own settings. */
async function watch(): Promise<void> {
  if (watching || read() === 'unsupported') return
  watching = true
  const status = await navigator.permissions.query({ name: 'notifications' })
  status.addEventListener('change', tell)
}

export const permission: ReadableStore<Permission> = {
  get: read,
  subscribe(listener) {
    listeners.add(listener)
    // A browser that cannot say so tells it at the next look.
    watch().catch(() => {})
    return () => listeners.delete(listener)
  },
}

/** Asks the user; only from his own press on a button. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission()
  tell()
}
