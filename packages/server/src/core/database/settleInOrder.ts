/**
 * Waits for statements that were sent without waiting for each other. Throws the first failure in this order: the later
 * ones follow from it.
 */
export async function settleInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}
