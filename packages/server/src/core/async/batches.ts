import { setTimeout } from 'node:timers/promises'

export type Stopping = () => boolean

/**
 * Runs `work`, which returns how much it did, until it did less than `size`. Rests after each batch for as long as it
 * took, so that people get at least every other turn. The pace is that of the machine, not of the product's clock.
 */
export async function inBatches(size: number, work: () => Promise<number>, stopping: Stopping): Promise<void> {
  for (;;) {
    const start = performance.now()
    const count = await work()
    if (count < size || stopping()) return
    await setTimeout(performance.now() - start)
  }
}
