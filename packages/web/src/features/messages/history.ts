import { limits } from '@privity/contract/limits'

interface Dated {
  id: string
  seq: number
  expiresAt: number
}

/** What is loaded of one conversation: messages oldest first without gaps, and whether older ones may exist. */
export interface History<M extends Dated> {
  messages: readonly M[]
  older: boolean
}

const mayHaveOlder = (page: readonly Dated[]) => page.length >= limits.messagesPage && (page[0]?.seq ?? 1) > 1

/**
 * A freshly loaded newest page joined to what was loaded before. The page is the truth from its oldest
 * message on; if it does not touch what was there, that is let go, so that no gap stays unseen.
 */
export function withNewestPage<M extends Dated>(known: History<M> | undefined, page: readonly M[]): History<M> {
  const first = page[0]
  // A page with nothing before it: what was older has expired meanwhile.
  if (!known || !first || !mayHaveOlder(page)) return { messages: page, older: mayHaveOlder(page) }
  const last = known.messages.at(-1)
  if (last === undefined || last.seq < first.seq - 1) return { messages: page, older: true }
  const before = known.messages.filter((message) => message.seq < first.seq)
  return { messages: [...before, ...page], older: before.length > 0 ? known.older : true }
}

/** A newest page that was asked for when `before` was known: what the socket has brought since stays. */
export function withAskedPage<M extends Dated>(
  before: History<M> | undefined,
  known: History<M> | undefined,
  page: readonly M[],
): History<M> {
  const seen = new Set(before?.messages.map(({ id }) => id))
  const last = page.at(-1)?.seq ?? 0
  const meanwhile = known?.messages.filter(({ id, seq }) => seq > last && !seen.has(id)) ?? []
  return meanwhile.reduce(withMessage<M>, withNewestPage(known, page))
}

export function withOlderPage<M extends Dated>(known: History<M>, page: readonly M[]): History<M> {
  const first = known.messages[0]
  const before = first ? page.filter((message) => message.seq < first.seq) : page
  return { messages: [...before, ...known.messages], older: mayHaveOlder(page) }
}

/** So many messages are kept on the screen of someone who stays at the newest one; the rest is loaded again. */
const shown = { most: 400, kept: 200 }

/** Without the oldest messages of a long conversation; the same object where it is not long. */
export function withoutOldest<M extends Dated>(known: History<M>): History<M> {
  if (known.messages.length <= shown.most) return known
  return { messages: known.messages.slice(-shown.kept), older: true }
}

/** One message from the socket, in its place; the same one twice changes nothing. */
export function withMessage<M extends Dated>(known: History<M>, message: M): History<M> {
  const { messages } = known
  const at = messages.findLastIndex((each) => each.seq <= message.seq)
  if (messages[at]?.seq === message.seq) {
    return { ...known, messages: messages.map((each) => (each.seq === message.seq ? message : each)) }
  }
  return { ...known, messages: [...messages.slice(0, at + 1), message, ...messages.slice(at + 1)] }
}

/** Without what has expired; the same object where nothing has. */
export function withoutExpired<M extends Dated>(known: History<M>, now: number): History<M> {
  if (!known.messages.some((message) => message.expiresAt <= now)) return known
  return { ...known, messages: known.messages.filter((message) => message.expiresAt > now) }
}
