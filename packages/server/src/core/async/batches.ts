import { setTimeout } from 'node:timers/promises'

/** Up to this many items flush in a microtask: a single message is delivered before the sender's response is built. */
const maxMicrotaskBatch = 4

/** Collects the items of one turn of the event loop and flushes them together. */
export function batchPerTick<T>(flush: (batch: readonly T[]) => void): (item: T) => void {
  let pending: T[] = []
  function release(): void {
    const batch = pending
    pending = []
    flush(batch)
  }
  return (item) => {
    if (pending.length === 0)
      queueMicrotask(() => (pending.length > maxMicrotaskBatch ? process.nextTick(release) : release()))
    pending.push(item)
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
