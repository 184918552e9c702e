import { notifyManager } from '@tanstack/react-query'

// Notify in a microtask instead of by timer: a second click or a held Enter key then finds the button busy.
notifyManager.setScheduler(queueMicrotask)
