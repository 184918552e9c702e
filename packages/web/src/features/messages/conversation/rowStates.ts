import type { Progress } from '@privity/contract/messages'
import { type Delivery, deliveryOf } from '../delivery.ts'
import type { ConversationEntry } from './entries.ts'
import type { Placed } from './timeline.ts'

type Heard = Parameters<typeof deliveryOf>[1]

const stateOf = (entry: ConversationEntry, heard: Heard): Delivery | 'sending' =>
  entry.kind === 'outbox' ? 'sending' : deliveryOf(entry.message.seq, heard)

/**
 * The delivery state to show in a row: for the last of the user's own messages in a group, and for one within the group
 * if its state differs from that of the next.
 */
export function shownDelivery(
  placed: readonly Placed<ConversationEntry>[],
  at: number,
  heard: Progress | undefined,
): Delivery | undefined {
  const row = placed[at]
  if (row?.kind !== 'entry' || !row.entry.mine || row.entry.kind !== 'message') return undefined
  const next = placed[at + 1]
  const own = deliveryOf(row.entry.message.seq, heard)
  if (row.tail || next?.kind !== 'entry') return own
  return stateOf(next.entry, heard) === own ? undefined : own
}
