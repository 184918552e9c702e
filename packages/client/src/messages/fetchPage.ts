import { limits } from '@privity/contract/limits'
import type { Message } from '@privity/contract/messages'
import { CallError } from '../transport/callError.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { DecryptedMessage } from '../types.ts'
import type { DeletedMessages } from './deletedMessages.ts'
import { deviceTimes } from './order/omissions.ts'

export interface Page {
  /** Only messages with lower numbers; absent for the newest page. */
  before?: number | undefined
  /** At most limits.maxMessagesPage. */
  limit?: number | undefined
}

interface FetchedPage {
  /** Oldest first. */
  messages: DecryptedMessage[]
  /** The lowest and highest number in it; undefined for an empty page. */
  first: number | undefined
  last: number | undefined
  /** Whether no older messages exist. */
  isLast: boolean
}

export interface PageFetch {
  /**
   * Fetches and decrypts a page of a conversation. The page holds each message once, and is full unless no older
   * messages exist. Throws if that takes longer than two minutes.
   */
  fetchPage(connectionId: string, page: Page): Promise<FetchedPage>
  /** Fetches all living messages, within two minutes too. Returns their ids, and the bounds of the newest page. */
  fetchWhole(connectionId: string): Promise<Pick<FetchedPage, 'first' | 'last'> & { ids: ReadonlySet<string> }>
}

/** A server could let a list never end: the page would then not say that messages are missing. */
const maxFetchMs = 2 * 60_000

export function createPageFetch(deps: {
  clock: Pick<ServerClock, 'now' | 'steady' | 'correction'>
  fetchMessages: (connectionId: string, query: Page) => Promise<Message[]>
  deletedMessages: Pick<DeletedMessages, 'find'>
  decrypt: (message: Message, connectionId: string) => Promise<DecryptedMessage | undefined>
  /** Whether this is a contact's message under the id of an own one that has been opened. */
  isUnderOwnId: (message: DecryptedMessage) => boolean
}): PageFetch {
  const { clock, fetchMessages, deletedMessages, decrypt, isUnderOwnId } = deps

  /** Makes one call. `shown` lacks the messages of the answer that have expired or that are refused. */
  async function fetchAnswer(connectionId: string, page: Page) {
    const found = await fetchMessages(connectionId, page)
    const decrypted = await Promise.all(found.map((message) => decrypt(message, connectionId)))
    const known = found.map((message, i) => deletedMessages.find({ ...message, connectionId }) ?? decrypted[i])
    const opened = known.filter((message) => message !== undefined)
    // Filtered once all are decrypted: the own message may come after the contact's under its id.
    return { found, shown: opened.filter((message) => !isUnderOwnId(message)) }
  }

  const time = () => deviceTimes(clock).steadyAt

  async function fetchPage(connectionId: string, { before, limit }: Page, until = time() + maxFetchMs) {
    const size = limit ?? limits.messagesPage
    const byId = new Map<string, DecryptedMessage>()
    let [olderThan, askedLimit, isLast] = [before, limit, false]
    // Until the page is full: otherwise a server could fill it with repeated or expired messages, and hide older ones.
    while (!isLast && byId.size < size) {
      if (time() > until) throw new CallError('INTERNAL', { status: 500 })
      const { found, shown } = await fetchAnswer(connectionId, { before: olderThan, limit: askedLimit })
      for (const message of shown) if (!byId.has(message.id)) byId.set(message.id, message)
      // Older messages may live even if all of these expired on the way, or a contact dated them as expired.
      const lowest = Math.min(...(shown.length > 0 ? shown : found).map(({ seq }) => seq))
      // An answer without a lower number brings nothing older, so asking again would never end.
      isLast = found.length < (askedLimit ?? size) || lowest === 1 || lowest >= (olderThan ?? Infinity)
      olderThan = Math.min(lowest, olderThan ?? Infinity)
      // A contact can send many messages with such dates: as few calls as possible pass them.
      if (shown.length === 0) askedLimit = limits.maxMessagesPage
    }
    const messages = [...byId.values()].toSorted((one, other) => one.seq - other.seq)
    return { messages, first: messages[0]?.seq, last: messages.at(-1)?.seq, isLast }
  }

  return {
    fetchPage: (connectionId, page) => fetchPage(connectionId, page),
    async fetchWhole(connectionId) {
      const [limit, until] = [limits.maxMessagesPage, time() + maxFetchMs]
      const newest = await fetchPage(connectionId, { limit }, until)
      const { first, last } = newest
      const ids = new Set<string>()
      for (let page = newest; ; page = await fetchPage(connectionId, { limit, before: page.first }, until)) {
        for (const { id } of page.messages) ids.add(id)
        if (page.isLast) return { first, last, ids }
      }
    },
  }
}
