import type { ReadableStore } from '../ui/useStore.ts'

const minute = 60_000
let ticks = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Increments once a minute while it has subscribers; refreshes texts such as 'disappears in 3 h'. */
export const everyMinute: ReadableStore<number> = {
  get: () => ticks,
  subscribe(listener) {
    listeners.add(listener)
    timer ??= setInterval(() => {
      ticks += 1
      for (const each of listeners) each()
    }, minute)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  },
}
