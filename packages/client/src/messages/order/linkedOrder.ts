import type { SignedPlace } from '../../types.ts'
import { linksIn } from './conversation.ts'

interface Linked {
  id: string
  mine: boolean
  /** Whether a key signed it that the contact has replaced. */
  earlierKey?: boolean
  signed?: SignedPlace | undefined
}

/** Finds the messages of a list that a message comes after, by what their senders signed. */
function createPredecessors<M extends Linked>(messages: readonly M[]) {
  const byLink = new Map<string, M>()
  const byEnvelope = new Map<string, M[]>()
  for (const message of messages) {
    if (!message.signed) continue
    byLink.set(message.signed.link, message)
    const under = byEnvelope.get(message.signed.envelopeId) ?? []
    byEnvelope.set(message.signed.envelopeId, under)
    under.push(message)
  }
  const before = new Map<M, M>()
  for (const under of byEnvelope.values()) {
    under.sort((one, other) => (one.signed?.n ?? 0) - (other.signed?.n ?? 0))
    for (const [i, message] of under.entries()) {
      const last = under[i - 1]
      if (last) before.set(message, last)
    }
  }
  const linked = (link: string) => byLink.get(link)
  return (message: M) => [...linksIn(message.signed).map(linked), before.get(message)]
}

/**
 * Moves each message behind those that it links to, and otherwise keeps the order; returns the same list where nothing
 * moves. An honest server has numbered them so already.
 */
export function sortByLinks<M extends Linked>(messages: readonly M[]): readonly M[] {
  const predecessorsOf = createPredecessors(messages)
  const placed = new Set<M>()
  const started = new Set<M>()
  /** Without recursion: a sender can sign a chain of any length and send it last to first. */
  function place(message: M): void {
    const path: { message: M; left: (M | undefined)[] }[] = []
    const start = (next: M) => {
      started.add(next)
      path.push({ message: next, left: predecessorsOf(next).toReversed() })
    }
    start(message)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      if (top.left.length === 0) {
        placed.add(top.message)
        path.pop()
        continue
      }
      const before = top.left.pop()
      if (before && !started.has(before)) start(before)
    }
  }
  for (const message of messages) if (!started.has(message)) place(message)
  const sorted = [...placed]
  return sorted.every((message, i) => message === messages[i]) ? messages : sorted
}

/**
 * Returns the ids of own messages that the contact's browser has certainly opened: those that a message of theirs names
 * as seen. That says nothing about earlier ones, which the server may have left out. A message under a key that the
 * contact has replaced confirms nothing.
 */
export function confirmedMessages(messages: readonly Linked[]): ReadonlySet<string> {
  const theirs = messages.filter(({ mine, earlierKey }) => !mine && !earlierKey)
  const seen = new Set(theirs.map(({ signed }) => signed?.seen))
  return new Set(messages.filter(({ mine, signed }) => mine && signed && seen.has(signed.link)).map(({ id }) => id))
}
