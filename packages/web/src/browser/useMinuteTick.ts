import type { ReadableStore } from '../ui/useStore.ts'

const minute = 60_000
let ticks = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Changes once a minute while anyone listens: for words such as 'disappears in 3 h'. */
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
