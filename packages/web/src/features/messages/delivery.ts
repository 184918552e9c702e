import type { Progress } from '@privity/contract/messages'

export type Delivery = 'sent' | 'delivered' | 'read'

/** Delivery state of the user's own message, from the contact's progress. */
export function deliveryOf(seq: number, other: Pick<Progress, 'deliveredSeq' | 'readSeq'> | undefined): Delivery {
  if (!other) return 'sent'
  if (other.readSeq !== undefined && other.readSeq >= seq) return 'read'
  return other.deliveredSeq >= seq ? 'delivered' : 'sent'
}

/**
 * Updates a participant's progress in the list. Events may arrive late, so sequence numbers never decrease. `readSeq`
 * is removed once either participant has disabled read receipts.
 */
export function advance(known: readonly Progress[], heard: Progress): Progress[] {
  const rest = known.filter((each) => each.userId !== heard.userId)
  const before = known.find((each) => each.userId === heard.userId)
  if (!before) return [...rest, heard]
  const deliveredSeq = Math.max(before.deliveredSeq, heard.deliveredSeq)
  const readSeq = heard.readSeq === undefined ? undefined : Math.max(before.readSeq ?? 0, heard.readSeq)
  return [...rest, { ...heard, deliveredSeq, readSeq }]
}
