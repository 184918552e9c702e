import { notifyManager } from '@tanstack/react-query'

// What is under way is drawn before the next event: a second click without a pause, or an Enter held down, finds its
// button busy. By default components are told by a timer, which comes after such a click.
notifyManager.setScheduler(queueMicrotask)
