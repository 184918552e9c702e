import { createStore, type Store } from '@privity/client/store'

const minute = 60_000
const ticks = createStore(0)
let timer: ReturnType<typeof setInterval> | undefined
let subscribers = 0

/** Increments once a minute while it has subscribers; refreshes texts such as 'disappears in 3 h'. */
export const everyMinute: Store<number> = {
  get: ticks.get,
  subscribe(listener) {
    const unsubscribe = ticks.subscribe(listener)
    subscribers += 1
    timer ??= setInterval(() => ticks.set(ticks.get() + 1), minute)
    return () => {
      unsubscribe()
      subscribers -= 1
      if (subscribers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  },
}
