/**
 * Waits for statements that were sent without waiting for each other. Throws what the first of them failed with, in
 * this order: the failures of those after it follow from that.
 */
export async function allInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}
