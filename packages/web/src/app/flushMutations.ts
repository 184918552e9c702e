import { notifyManager } from '@tanstack/react-query'

// Notify components in a microtask instead of by the default timer: a button is then marked busy before a second click
// or a held Enter key reaches it.
notifyManager.setScheduler(queueMicrotask)
