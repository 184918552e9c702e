import type { DecryptedMessage } from '@privity/client'
import type { MessageProgress } from '@privity/contract/messages'

/** `…Confirmed`: the contact's browser has signed that the message arrived; otherwise only the server says so. */
export type Delivery = 'sent' | 'delivered' | 'deliveredConfirmed' | 'read' | 'readConfirmed'

/**
 * Whether a message is unread, and this browser cannot open it before it is approved: marked as read, it would be shown
 * to its sender as read by nobody. `readSeq`: how far the user has read.
 */
export const isUnreadHere = ({ mine, seq, body }: DecryptedMessage, readSeq = 0): boolean =>
  !mine && seq > readSeq && body.kind === 'unreadable' && body.reason.code === 'BEFORE_APPROVAL'

/** Delivery state of the user's own message, from the contact's progress and from what their messages prove. */
export function deliveryOf(
  seq: number,
  progress: Pick<MessageProgress, 'deliveredSeq' | 'readSeq'> | undefined,
  isConfirmed = false,
): Delivery {
  const { readSeq = 0, deliveredSeq = 0 } = progress ?? {}
  if (readSeq >= seq) return isConfirmed ? 'readConfirmed' : 'read'
  if (isConfirmed) return 'deliveredConfirmed'
  return deliveredSeq >= seq ? 'delivered' : 'sent'
}

/**
 * Updates a participant's progress in the list. Events may arrive late, so sequence numbers never decrease. `readSeq`
 * is removed once either participant has disabled read receipts.
 */
export function advance(known: readonly MessageProgress[], update: MessageProgress): MessageProgress[] {
  const rest = known.filter((each) => each.userId !== update.userId)
  const before = known.find((each) => each.userId === update.userId)
  if (!before) return [...rest, update]
  const deliveredSeq = Math.max(before.deliveredSeq, update.deliveredSeq)
  const readSeq = update.readSeq === undefined ? undefined : Math.max(before.readSeq ?? 0, update.readSeq)
  return [...rest, { ...update, deliveredSeq, readSeq }]
}
