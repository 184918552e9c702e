import type { ReadableStore } from '../../ui/useStore.ts'

/** The browser's permission for this site; `unsupported` if it has no notifications. */
export type Permission = 'unsupported' | 'default' | 'granted' | 'denied'

const listeners = new Set<() => void>()
let watching = false

const read = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

function tell(): void {
  for (const listener of listeners) listener()
}

/** Follows changes made in the browser's settings. */
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
    // In browsers that cannot report changes, the next read gets the current value.
    watch().catch(() => {})
    return () => listeners.delete(listener)
  },
}

/** Asks for permission. Call it only from a click handler. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission()
  tell()
}
