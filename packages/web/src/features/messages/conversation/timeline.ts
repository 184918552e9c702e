import { type DecryptedMessage, type OutboxItem, sortByLinks } from '@privity/client'
import type { MessageProgress } from '@privity/contract/messages'
import { dayNumber } from '../../../i18n/dateTime.ts'
import { type Delivery, deliveryOf } from '../delivery.ts'

/** An entry of a conversation: a message or an outbox item. */
export interface Entry {
  key: string
  mine: boolean
  createdAt: number
  /** Not grouped, with its own meta line: a file or a message that failed to send. */
  alone: boolean
  /** A message is missing before it, which a line of its own says. */
  isMissingBefore?: true | undefined
  /** Unread begins with it, which a line of its own says. */
  isFirstUnread?: boolean
}

export type Placed<E extends Entry> =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'missing'; key: string }
  | {
      kind: 'entry'
      key: string
      entry: E
      /** First of a group: has a gap above. */
      turn: boolean
      /** Last of a group: shows the meta line and the pointed corner. */
      tail: boolean
    }

const groupWithin = 5 * 60_000

/** Whether two entries of the same day belong to one group. */
function together(first: Entry, second: Entry): boolean {
  if (first.alone || second.alone || second.isMissingBefore || second.isFirstUnread || first.mine !== second.mine)
    return false
  return second.createdAt - first.createdAt < groupWithin
}

/** Adds day separators and other lines to entries (oldest first) and marks each entry's place in its group. */
export function placeEntries<E extends Entry>(entries: readonly E[]): Placed<E>[] {
  const placed: Placed<E>[] = []
  const days = entries.map((entry) => dayNumber(entry.createdAt))
  const joined = (i: number) => {
    const [first, second] = [entries[i], entries[i + 1]]
    return first !== undefined && second !== undefined && days[i] === days[i + 1] && together(first, second)
  }
  entries.forEach((entry, i) => {
    const newDay = days[i] !== days[i - 1]
    if (newDay) placed.push({ kind: 'day', key: `day-${days[i]}`, at: entry.createdAt })
    if (entry.isFirstUnread) placed.push({ kind: 'unread', key: 'unread' })
    if (entry.isMissingBefore) placed.push({ kind: 'missing', key: `missing-${entry.key}` })
    placed.push({ kind: 'entry', key: entry.key, entry, turn: !newDay && !joined(i - 1), tail: !joined(i) })
  })
  return placed
}

export type ConversationEntry = Entry &
  ({ kind: 'message'; message: DecryptedMessage } | { kind: 'outbox'; item: OutboxItem })

/** Sequence numbers of what was unread when the conversation was opened: above `after`, up to `upTo`. */
export interface Unread {
  after: number
  upTo: number
}

/**
 * Entries of a conversation, oldest first: stored messages, none before one it links to, then outbox items. Skips items
 * that are already stored or that a transfer row shows (`hidden`).
 */
export function conversationEntries(
  messages: readonly DecryptedMessage[],
  outbox: readonly OutboxItem[],
  hidden: ReadonlySet<string>,
  unread: Unread = { after: 0, upTo: 0 },
): ConversationEntry[] {
  const stored = new Set(messages.map((message) => message.id))
  const sorted = sortByLinks(messages)
  const firstUnread = sorted.find(({ mine, seq }) => !mine && seq > unread.after && seq <= unread.upTo)
  return [
    ...sorted.map((message) => ({
      kind: 'message' as const,
      key: message.id,
      mine: message.mine,
      createdAt: message.createdAt,
      alone: message.body.kind === 'file',
      isMissingBefore: message.isMissingBefore,
      isFirstUnread: message === firstUnread,
      message,
    })),
    ...outbox
      .filter((item) => !stored.has(item.id) && !hidden.has(item.id))
      .map((item) => ({
        kind: 'outbox' as const,
        key: item.id,
        mine: true,
        createdAt: item.createdAt,
        alone: item.state === 'failed',
        item,
      })),
  ]
}

type ContactProgress = Parameters<typeof deliveryOf>[1]

const stateOf = (
  entry: ConversationEntry,
  progress: ContactProgress,
  confirmed: ReadonlySet<string>,
): Delivery | 'sending' =>
  entry.kind === 'outbox' ? 'sending' : deliveryOf(entry.message.seq, progress, confirmed.has(entry.message.id))

/**
 * The delivery state to show in a row: for the last of the user's own messages in a group, and for one within the group
 * if its state differs from that of the next. `confirmed`: messages that the contact's browser has certainly opened.
 */
export function shownDelivery(
  placed: readonly Placed<ConversationEntry>[],
  index: number,
  progress: MessageProgress | undefined,
  confirmed: ReadonlySet<string>,
): Delivery | undefined {
  const row = placed[index]
  if (row?.kind !== 'entry' || !row.entry.mine || row.entry.kind !== 'message') return undefined
  const next = placed[index + 1]
  const own = deliveryOf(row.entry.message.seq, progress, confirmed.has(row.entry.message.id))
  if (row.tail || next?.kind !== 'entry') return own
  return stateOf(next.entry, progress, confirmed) === own ? undefined : own
}
