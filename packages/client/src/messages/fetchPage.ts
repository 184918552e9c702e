import { limits } from '@privity/contract/limits'
import type { Message } from '@privity/contract/messages'
import type { DecryptedMessage } from '../types.ts'
import type { DeletedMessages } from './deletedMessages.ts'

export interface Page {
  before?: number | undefined
  /** At most limits.maxMessagesPage. */
  limit?: number | undefined
}

interface FetchedPage {
  /** Oldest first. */
  messages: DecryptedMessage[]
  first: number | undefined
  last: number | undefined
  /** Whether no older messages exist. */
  isLast: boolean
}

/** Returns a function that fetches and decrypts a page of a conversation. */
export function createPageFetch(deps: {
  fetchMessages: (connectionId: string, query: Page) => Promise<Message[]>
  deletedMessages: Pick<DeletedMessages, 'find'>
  decrypt: (message: Message, connectionId: string) => Promise<DecryptedMessage | undefined>
  hasOwnId: (message: DecryptedMessage) => boolean
}): (connectionId: string, page: Page) => Promise<FetchedPage> {
  const { fetchMessages, deletedMessages, decrypt, hasOwnId } = deps

  async function fetchOnce(connectionId: string, page: Page) {
    const found = await fetchMessages(connectionId, page)
    const decrypted = await Promise.all(found.map((message) => decrypt(message, connectionId)))
    const shown = found.map((message, i) => deletedMessages.find({ ...message, connectionId }) ?? decrypted[i])
    return { found, shown: shown.filter((message) => message !== undefined).filter((message) => !hasOwnId(message)) }
  }

  return async (connectionId, { before, limit }) => {
    const size = limit ?? limits.messagesPage
    const byId = new Map<string, DecryptedMessage>()
    let [first, asked, isLast] = [before, limit, false]
    // Goes on where the page is not full: with repeated or expired messages a server could leave out older ones.
    while (!isLast && byId.size < size) {
      const { found, shown } = await fetchOnce(connectionId, { before: first, limit: asked })
      for (const message of shown) if (!byId.has(message.id)) byId.set(message.id, message)
      // Where all have expired on the way, or are dated so by a contact, older ones may live.
      const lowest = Math.min(...(shown.length > 0 ? shown : found).map(({ seq }) => seq))
      isLast = found.length < (asked ?? size) || lowest === 1 || lowest >= (first ?? Infinity)
      first = Math.min(lowest, first ?? Infinity)
      // A contact can send many of them.
      if (shown.length === 0) asked = limits.maxMessagesPage
    }
    const messages = [...byId.values()].toSorted((one, other) => one.seq - other.seq)
    return { messages, first: messages[0]?.seq, last: messages.at(-1)?.seq, isLast }
  }
}
