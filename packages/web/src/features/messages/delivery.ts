import type { Progress } from '@privity/contract/messages'

export type Delivery = 'sent' | 'delivered' | 'read'

/** Delivery state of the user's own message, from the contact's progress. */
export function deliveryOf(seq: number, progress: Pick<Progress, 'deliveredSeq' | 'readSeq'> | undefined): Delivery {
  if (!progress) return 'sent'
  if (progress.readSeq !== undefined && progress.readSeq >= seq) return 'read'
  return progress.deliveredSeq >= seq ? 'delivered' : 'sent'
}

/**
 * Updates a participant's progress in the list. Events may arrive late, so sequence numbers never decrease. `readSeq`
 * is removed once either participant has disabled read receipts.
 */
export function advance(known: readonly Progress[], update: Progress): Progress[] {
  const rest = known.filter((each) => each.userId !== update.userId)
  const before = known.find((each) => each.userId === update.userId)
  if (!before) return [...rest, update]
  const deliveredSeq = Math.max(before.deliveredSeq, update.deliveredSeq)
  const readSeq = update.readSeq === undefined ? undefined : Math.max(before.readSeq ?? 0, update.readSeq)
  return [...rest, { ...update, deliveredSeq, readSeq }]
}
