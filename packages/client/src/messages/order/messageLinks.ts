import type { MessageContext } from '@privity/e2ee'
import type { ServerClock } from '../../transport/serverClock.ts'
import type { BrowserMemory, SentLink } from '../browserMemory.ts'
import type { Conversation, Recorded } from './conversation.ts'
import { clockMargin, correctedEnd, putBackSince } from './omissions.ts'

/** A message as later ones name it. */
export interface MessageLink {
  link: string
  /** The signed time. For an own message after a clock that was ahead: later than all own messages before it. */
  sentAt: number
}

/** An own message that is being sent. */
export interface SendingMessage extends MessageLink {
  /** The signed time by the clock alone. */
  signedAt: number
  /** The correction of the clock (ms) when it was signed. */
  correction: number
  /** How long it lives once the server has stored it. */
  lifetime: number
  /** When a key that opens it is destroyed: it expires then at the latest. */
  readableUntil: number
}

/** The links that own messages carry to those before them. */
export interface MessageLinks {
  /**
   * The links that the next own message carries. `previous`: the newest own message that is stored. `otherPrevious`:
   * the last one that this browser has sent, unless `previous` is it or names it: the server may have shown it to no
   * other browser. Otherwise the oldest own one that none names, left by two browsers that sent unaware of each other.
   * `seen`: the contact's newest one that this page has shown. None has a shorter lifetime than the next message, whose
   * lifetime tells recipients how long these live. `ownSentAt`: the latest signed time of all own messages, also of
   * expired ones. The next one is signed later, even after a clock that was ahead, so it counts as the newest.
   */
  linksFor(
    connectionId: string,
    conversation: Conversation,
    lifetime: number,
  ): Pick<MessageContext, 'previous' | 'otherPrevious' | 'seen'> & { ownSentAt: number }
  recordSending(message: SendingMessage): void
  /** The server has stored an own message; nothing is recorded of one that this page has not sent. */
  recordStored(connectionId: string, link: string, createdAt: number): void
}

/**
 * The own messages that one names, for recipients of a later one of this lifetime: that one names none of a shorter
 * lifetime, and what a deleted message names cannot be read any more.
 */
function namesOf(message: Recorded | undefined, lifetime: number): (string | undefined)[] {
  const { context, isDeleted } = message ?? {}
  return context && !isDeleted && context.lifetime >= lifetime ? [context.previous, context.otherPrevious] : []
}

export function createMessageLinks(deps: {
  clock: Pick<ServerClock, 'now' | 'steady' | 'correction'>
  retention: () => number
  memory: BrowserMemory
}): MessageLinks {
  const { clock, retention, memory } = deps
  /** By link, until the server has stored them. */
  const sending = new Map<string, SendingMessage>()

  /** A message must live until this time to be named: recipients take what is named for living. */
  const namedUntil = () => clock.now() + clockMargin(retention())

  /** Pages expire a message earlier if the lifetime of messages has become shorter. */
  const livesUntil = (storedAt: number, expiresAt: number) => Math.min(expiresAt, storedAt + retention())

  /** A server that was ahead destroys what it stored then before the time that it stated. */
  const livesLess = (recorded: Recorded) => putBackSince(clock, recorded.recordedAt, recorded)

  /** Whether a message that this browser has sent can be named, whatever the server has said of it since. */
  function isNameable(sent: SentLink, { byLink }: Conversation): boolean {
    const recorded = byLink.get(sent.link)
    // The clock may have been wrong until the answer came, but not when it was recorded.
    const recordedUntil = recorded ? recorded.recordedAt + sent.lifetime - livesLess(recorded) : Infinity
    // A correction that is smaller now means that the own clock was put back since, perhaps while no page was open.
    const putBack = Math.max(sent.correction - clock.correction(), 0)
    return Math.min(livesUntil(sent.storedAt, sent.expiresAt) - putBack, recordedUntil) > namedUntil()
  }

  /**
   * Returns the links of the living messages of one side that no other of them names, newest first by their signed
   * times, because the numbers are the server's word. A message of the contact counts as signed no later than it was
   * recorded: their clock may have been ahead. `newestAt`: the time of the newest living message, named or not.
   */
  function unnamedLinks(
    conversation: Conversation,
    { mine, lifetime, sent = [] }: { mine: boolean; lifetime: number; sent?: readonly SentLink[] },
  ): { unnamed: string[]; newestAt: number } {
    const living = [...conversation.byId.values()].filter(
      (each) =>
        each.mine === mine &&
        (mine || (each.isShown && !each.isHidden)) &&
        !each.isExpired &&
        Math.min(livesUntil(each.createdAt, each.expiresAt), correctedEnd(each)) - livesLess(each) > namedUntil(),
    )
    const links: (MessageLink & { lifetime: number })[] = living.flatMap(({ link, context, recordedAt }) =>
      context ? [{ ...context, link, sentAt: mine ? context.sentAt : Math.min(context.sentAt, recordedAt) }] : [],
    )
    links.push(...sent)
    const named = new Set(living.flatMap((each) => namesOf(each, lifetime)))
    const sorted = links.toSorted((one, other) => one.sentAt - other.sentAt).toReversed()
    const unnamed = sorted.filter((each) => !named.has(each.link) && each.lifetime >= lifetime)
    return { unnamed: [...new Set(unnamed.map(({ link }) => link))], newestAt: sorted[0]?.sentAt ?? 0 }
  }

  return {
    linksFor(connectionId, conversation, lifetime) {
      const { byLink } = conversation
      const lastSent = memory.lastSent(connectionId)
      const sent = lastSent.filter((each) => isNameable(each, conversation))
      const { unnamed, newestAt } = unnamedLinks(conversation, { mine: true, lifetime, sent })
      const [previous, ...others] = unnamed
      const own = sent.findLast((each) => each.lifetime >= lifetime)?.link
      const isOwnNamed = [undefined, previous, ...namesOf(byLink.get(previous ?? ''), lifetime)].includes(own)
      const otherPrevious = isOwnNamed ? others.at(-1) : own
      const [seen] = unnamedLinks(conversation, { mine: false, lifetime }).unnamed
      const ownSentAt = Math.max(newestAt, lastSent.at(-1)?.sentAt ?? 0)
      return { previous, otherPrevious, seen, ownSentAt }
    },
    recordSending: (message) => void sending.set(message.link, message),
    recordStored(connectionId, link, createdAt) {
      const sent = sending.get(link)
      if (!sent) return
      sending.delete(link)
      const { sentAt, signedAt, lifetime, readableUntil } = sent
      // The clock may have been ahead when it was signed, or only when it was stored.
      const correction = Math.max(sent.correction, clock.correction())
      // A message that has waited is stored later than it is signed: the server's word can only lengthen its life.
      const storedAt = Math.min(Math.max(signedAt, createdAt), clock.now())
      const expiresAt = Math.min(storedAt + lifetime, readableUntil)
      memory.recordSent(connectionId, { link, sentAt, storedAt, correction, lifetime, expiresAt })
    },
  }
}
