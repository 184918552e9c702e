import { createStore, type Store } from '@privity/client/store'

/** The browser's permission for this site; `unsupported` if it has no notifications. */
export type Permission = 'unsupported' | 'default' | 'granted' | 'denied'

/** Set to a new object on each change: the browser holds the value. */
const changes = createStore({})
let watching = false

const read = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

const notify = () => changes.set({})

/** Follows changes made in the browser's settings. */
async function watch(): Promise<void> {
  if (watching || read() === 'unsupported') return
  watching = true
  const status = await navigator.permissions.query({ name: 'notifications' })
  status.addEventListener('change', notify)
}

export const permission: Store<Permission> = {
  get: read,
  subscribe(listener) {
    // In browsers that cannot report changes, the next read gets the current value.
    watch().catch(() => {})
    return changes.subscribe(listener)
  },
}

/** Asks for permission. Call it only from a click handler. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission()
  notify()
}
