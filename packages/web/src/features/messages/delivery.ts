import type { Progress } from '@privity/contract/messages'

export type Delivery = 'sent' | 'delivered' | 'read'

/** How far an own message has come, by how far the other party has received and read. */
export function deliveryOf(seq: number, other: Pick<Progress, 'deliveredSeq' | 'readSeq'> | undefined): Delivery {
  if (!other) return 'sent'
  if (other.readSeq !== undefined && other.readSeq >= seq) return 'read'
  return other.deliveredSeq >= seq ? 'delivered' : 'sent'
}

/**
 * The list with this party's progress moved forward; notices may arrive late, so it never goes back. What was read
 * is taken out where one of the two does not tell it any more.
 */
export function advance(known: readonly Progress[], heard: Progress): Progress[] {
  const rest = known.filter((each) => each.userId !== heard.userId)
  const before = known.find((each) => each.userId === heard.userId)
  if (!before) return [...rest, heard]
  const deliveredSeq = Math.max(before.deliveredSeq, heard.deliveredSeq)
  const readSeq = heard.readSeq === undefined ? undefined : Math.max(before.readSeq ?? 0, heard.readSeq)
  return [...rest, { ...heard, deliveredSeq, readSeq }]
}
