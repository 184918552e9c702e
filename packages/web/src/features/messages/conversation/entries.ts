import type { DecryptedMessage, OutboxItem } from '@privity/client'
import type { Entry } from './timeline.ts'

export type ConversationEntry = Entry &
  ({ kind: 'message'; message: DecryptedMessage } | { kind: 'outbox'; item: OutboxItem })

/**
 * Entries of a conversation, oldest first: stored messages, then outbox items. Skips items that are already stored or
 * that a transfer row shows (`hidden`).
 */
export function conversationEntries(
  messages: readonly DecryptedMessage[],
  outbox: readonly OutboxItem[],
  hidden: ReadonlySet<string>,
): ConversationEntry[] {
  const stored = new Set(messages.map((message) => message.id))
  return [
    ...messages.map((message) => ({
      kind: 'message' as const,
      key: message.id,
      mine: message.mine,
      createdAt: message.createdAt,
      alone: message.body.kind === 'file',
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
