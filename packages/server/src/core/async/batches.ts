import { setTimeout } from 'node:timers/promises'

/** Up to this many go in a microtask, so a message is delivered before its sender's response is built. */
const few = 4

/** Collects the items of one event loop turn and passes them on together; up to `few` before the turn ends. */
export function batchPerTick<T>(give: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = []
  function release(): void {
    const all = waiting
    waiting = []
    give(all)
  }
  return (one) => {
    if (waiting.length === 0) queueMicrotask(() => (waiting.length > few ? process.nextTick(release) : release()))
    waiting.push(one)
  }
}

export type Stopping = () => boolean

/**
 * Repeats `work`, which returns how many items it handled, until it handled fewer than `size`. Pauses after each batch
 * for as long as the batch took, so that requests get at least half of the time. The pauses follow the machine's speed
 * and therefore use real time, not the product's clock.
 */
export async function inBatches(size: number, work: () => Promise<number>, stopping: Stopping): Promise<void> {
  for (;;) {
    const start = performance.now()
    const count = await work()
    if (count < size || stopping()) return
    await setTimeout(performance.now() - start)
  }
}
