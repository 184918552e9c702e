import type { OrderMark } from '@privity/client'
import { limits } from '@privity/contract/limits'

interface Dated {
  id: string
  seq: number
  expiresAt: number
}

/** Loaded messages of a conversation, oldest first without gaps, and whether older ones may exist. */
export interface History<M extends Dated> {
  messages: readonly M[]
  older: boolean
}

const mayHaveOlder = (page: readonly Dated[]) => page.length >= limits.messagesPage && (page[0]?.seq ?? 1) > 1

/**
 * Merges a fresh newest page into the loaded messages. The page replaces everything from its oldest message on; if it
 * leaves a gap to the loaded messages, they are discarded.
 */
export function withNewestPage<M extends Dated>(known: History<M> | undefined, page: readonly M[]): History<M> {
  const first = page[0]
  // Nothing exists before this page: loaded older messages have expired.
  if (!known || !first || !mayHaveOlder(page)) return { messages: page, older: mayHaveOlder(page) }
  const last = known.messages.at(-1)
  if (last === undefined || last.seq < first.seq - 1) return { messages: page, older: true }
  const before = known.messages.filter((message) => message.seq < first.seq)
  return { messages: [...before, ...page], older: before.length > 0 ? known.older : true }
}

/** Merges a newest page requested at the state `before`, and keeps messages that arrived by socket since. */
export function withAskedPage<M extends Dated>(
  before: History<M> | undefined,
  known: History<M> | undefined,
  page: readonly M[],
): History<M> {
  const seen = new Set([...(before?.messages ?? []), ...page].map(({ id }) => id))
  const first = page[0]?.seq ?? 0
  const meanwhile = known?.messages.filter(({ id, seq }) => seq >= first && !seen.has(id)) ?? []
  return meanwhile.reduce(withMessage<M>, withNewestPage(known, page))
}

export function withOlderPage<M extends Dated>(known: History<M>, page: readonly M[]): History<M> {
  const first = known.messages[0]
  const before = first ? page.filter((message) => message.seq < first.seq) : page
  return { messages: [...before, ...known.messages], older: mayHaveOlder(page) }
}

/** Above `max`, only the newest `remaining` messages stay loaded at the end; scrolling up loads the others again. */
const loaded = { max: 400, remaining: 200 }

/** Removes the oldest messages of a long conversation; returns the same object if it is not long. */
export function withoutOldest<M extends Dated>(known: History<M>): History<M> {
  if (known.messages.length <= loaded.max) return known
  return { messages: known.messages.slice(-loaded.remaining), older: true }
}

/**
 * Inserts a message from the socket by its sequence number, or puts it in the place of what it was. A server can give
 * two messages the same number: then both are there.
 */
export function withMessage<M extends Dated>(known: History<M>, message: M): History<M> {
  const replaced = withReplaced(known, message)
  if (replaced !== known) return replaced
  const { messages } = known
  const index = messages.findLastIndex((each) => each.seq <= message.seq)
  return { ...known, messages: [...messages.slice(0, index + 1), message, ...messages.slice(index + 1)] }
}

/** Puts a changed message in the place of what it was; returns the same object if it is not loaded. */
export function withReplaced<M extends Dated>(known: History<M>, message: M): History<M> {
  if (!known.messages.some(({ id }) => id === message.id)) return known
  return { ...known, messages: known.messages.map((each) => (each.id === message.id ? message : each)) }
}

/** Sets what the conversation says beside its messages. `marks`: by message; a message that is not there has none. */
export const withMarks = <M extends Dated & OrderMark>(
  known: History<M>,
  marks: ReadonlyMap<string, OrderMark>,
): History<M> => ({
  ...known,
  messages: known.messages.map((message) => {
    const { isMissingBefore, isLate } = marks.get(message.id) ?? {}
    const isSame = message.isMissingBefore === isMissingBefore && message.isLate === isLate
    return isSame ? message : { ...message, isMissingBefore, isLate }
  }),
})

/** Removes expired messages; returns the same object if there are none. */
export function withoutExpired<M extends Dated>(known: History<M>, now: number): History<M> {
  if (!known.messages.some((message) => message.expiresAt <= now)) return known
  return { ...known, messages: known.messages.filter((message) => message.expiresAt > now) }
}
