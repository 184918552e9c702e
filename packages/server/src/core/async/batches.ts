import { setTimeout } from 'node:timers/promises'

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
