import { timeOfId } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import type { ServerClock } from '../../transport/serverClock.ts'
import { type Conversation, linksIn, type Noted, type Recorded } from './conversation.ts'

type Clocks = Pick<ServerClock, 'now' | 'steady' | 'correction'>

/**
 * Times by the clocks of two browsers may differ by this: each clock is wrong by the tolerance at most, and may be
 * wrong in the other direction later. Where messages live shortly, most of their life is left to judge by.
 */
export const clockMargin = (retention: number): number => Math.min(4 * limits.clockTolerance, retention / 4)

export function deviceTimes(clock: Clocks): Noted {
  const deviceAt = clock.now() - clock.correction()
  return { steadyAt: clock.steady?.() ?? deviceAt, deviceAt }
}

/**
 * How far the clock has been put back since it showed `time`. A server that was ahead then destroys a message by its
 * age, which is earlier than the time that the server stated.
 */
export function putBackSince(clock: Clocks, time: number, noted: Noted): number {
  const { steadyAt, deviceAt } = deviceTimes(clock)
  const elapsed = Math.max(steadyAt - noted.steadyAt, deviceAt - noted.deviceAt)
  return Math.max(time + elapsed - clock.now(), 0)
}

/** A page that knew the whole conversation this shortly before need not fetch it again, whatever lifetime is signed. */
const minWholeAge = 60_000

/** A message that is stored in the grace after an epoch has ended expires with its seed. */
const minKeyLifetime = limits.retention - limits.epochGrace

/** Judges which messages of a conversation the server has left out. */
export interface Omissions {
  /** Whether this page has not been given everything that the message names. */
  isIncomplete(conversation: Conversation, message: Recorded): boolean
  /** Whether a message is missing before this one that certainly lives. */
  isMissingBefore(conversation: Conversation, message: Recorded): boolean
  /** Whether a delivered message certainly lives, whatever the server says of its expiry now. */
  isLiving(conversation: Conversation, message: Recorded): boolean
  /** Whether the last time at which the whole conversation was known is too long ago to judge these messages by. */
  needsWhole(conversation: Conversation, messages: readonly Recorded[]): boolean
}

/** A server that was ahead corrects its dates once its clock has been right for an hour and two runs of the job. */
const correctedAfter = 61 * 60_000

/** The earliest end to which a server corrects what it stored while its clock was ahead. */
export const correctedEnd = ({ createdAt, recordedAt }: Recorded): number =>
  createdAt > recordedAt ? recordedAt + limits.retention - correctedAfter : Infinity

/**
 * Whether the page has been given a message. One that has expired counts if the page has shown its content, or if its
 * sender has deleted it: the server can say of any other that it expires early.
 */
function isGiven(message: Recorded | undefined): message is Recorded {
  if (!message || message.isHidden) return false
  if (message.isDeleted || (message.context && message.isShown)) return true
  return !message.isExpired && (message.context !== undefined || message.isListed === true)
}

export function createOmissions(clock: Clocks, retention: () => number): Omissions {
  /** Whether a message was sent when messages lived longer, and has ended since, whatever the server says of it. */
  const isOutlived = ({ context }: Recorded): boolean =>
    context !== undefined &&
    context.lifetime > retention() &&
    context.sentAt + retention() - Math.min(limits.clockTolerance, retention() / 4) <= clock.now()

  /** Whether the page was given a message, or it has ended since the retention was shortened. */
  const isKnown = (message: Recorded | undefined): message is Recorded =>
    isGiven(message) || (message !== undefined && isOutlived(message))

  /**
   * Whether numbers are missing before this message under its envelope. An unopened message, whose number is not known,
   * stands for one of them if it lies between the two messages around the gap, and no other message does.
   */
  function hasGapBefore({ byId, numbers }: Conversation, { envelopeId, context, seq }: Recorded): boolean {
    if (!context) return false
    const { n } = context
    const under = numbers.get(envelopeId)
    if (n === 1 || isKnown(under?.get(n - 1))) return false
    const given = [...(under?.values() ?? [])].filter(isKnown)
    const numberOf = (each: Recorded | undefined) => each?.n ?? 0
    let last: Recorded | undefined
    for (const each of given) if (numberOf(each) < n && numberOf(each) > numberOf(last)) last = each
    const isBetween = (each: Recorded) => each.seq > (last?.seq ?? -Infinity) && each.seq < seq
    const isUnopened = (each: Recorded) => each.envelopeId === envelopeId && each.n === undefined && isGiven(each)
    const missing = n - numberOf(last) - 1
    return (
      given.some(isBetween) || missing > [...byId.values()].filter((each) => isUnopened(each) && isBetween(each)).length
    )
  }

  const isUnknown = ({ byLink }: Conversation, link: string) => !isKnown(byLink.get(link))

  const isIncomplete = (conversation: Conversation, message: Recorded): boolean =>
    hasGapBefore(conversation, message) || linksIn(message.context).some((link) => isUnknown(conversation, link))

  /**
   * A message certainly lives until the time returned if it has at least this lifetime, and was sent before `time` and
   * `noted`, but after an earlier list that completed what this page knew. An unknown linked message was: if older, it
   * would have been in that list, because senders link only to messages that live on for the margin of the clocks.
   */
  function livesUntilByList(
    { wholeTimes, presentSince }: Conversation,
    { time, lifetime, noted }: { time: number; lifetime: number; noted: Noted },
  ): number {
    const ends = wholeTimes.map((whole) => {
      // A server can move the clock, but not the order in which the page has noted the two.
      const isBefore = whole.to < time && whole.steadyAt < noted.steadyAt
      if (!isBefore || whole.from < presentSince()) return -Infinity
      const least = Math.min(retention(), whole.retention, minKeyLifetime, lifetime)
      return whole.from - putBackSince(clock, whole.to, whole) + least - clockMargin(retention())
    })
    return Math.max(...ends, -Infinity)
  }

  /** The time until which a page shows a message, unless a stated expiry is earlier: see `shownUntil` of decrypt.ts. */
  function shownEnd({ createdAt, recordedAt, context }: Recorded): number {
    const { sentAt, lifetime } = context ?? { sentAt: createdAt, lifetime: retention() }
    const signedEnd = sentAt + Math.min(lifetime, retention())
    return createdAt > signedEnd + limits.clockTolerance ? signedEnd : Math.min(createdAt, recordedAt) + retention()
  }

  const lifetimeOf = ({ context }: Recorded) => context?.lifetime ?? 0

  /** A time that a message names, by the clock as it is now. */
  const correctedTime = (message: Recorded, time: number): number =>
    time - putBackSince(clock, message.recordedAt, message)

  const sentAtOf = (message: Recorded) => correctedTime(message, message.context?.sentAt ?? 0)

  /**
   * Returns the message before whose delivery the one under `link` was sent: that one itself if it has ended, otherwise
   * `message`, which names it. An end before `message` was written does not count: senders name only what still lives.
   */
  function sentBefore({ byLink }: Conversation, link: string, message: Recorded): Recorded {
    const named = byLink.get(link)
    const sentAt = correctedTime(message, Math.min(message.context?.sentAt ?? 0, message.recordedAt))
    // The server, whose clock may be ahead of the page's, destroys it earlier than the page lets it expire.
    const mayHaveEnded = named && (named.isExpired || named.expiresAt - clockMargin(retention()) < clock.now())
    return mayHaveEnded && (named.endedAt ?? named.expiresAt) >= sentAt ? named : message
  }

  /**
   * The time until which every message certainly lives that was stored after the envelope of `message` was made. It
   * lives as long as `message` has signed, from the time of the envelope on, but not longer than `message` itself,
   * because the keys of both are destroyed together. A list before the envelope may prove a longer life.
   */
  function livesUntilByEnvelope(conversation: Conversation, message: Recorded): number {
    const madeAt = correctedTime(message, Math.min(timeOfId(message.envelopeId) ?? -Infinity, message.recordedAt))
    const lifetime = Math.min(retention(), lifetimeOf(message))
    const byList = livesUntilByList(conversation, { time: madeAt, lifetime: lifetimeOf(message), noted: message })
    return Math.max(Math.min(madeAt + lifetime, message.expiresAt) - clockMargin(retention()), byList)
  }

  return {
    isIncomplete,
    isMissingBefore(conversation, message) {
      const { context } = message
      if (!context || message.isExpired) return false
      const { previous, n } = context
      const links = linksIn(context)
      if (links.some((link) => isUnknown(conversation, link) && conversation.byLink.get(link)?.isHidden)) return true
      // The envelope was made before its messages, and before each message that its sender stored between two of them.
      const isEnvelopeLiving = clock.now() < livesUntilByEnvelope(conversation, message)
      const isPreviousMissing = n > 1 && previous !== undefined && isUnknown(conversation, previous)
      if (isEnvelopeLiving && (isPreviousMissing || hasGapBefore(conversation, message))) return true
      return links.some(
        (link) =>
          isUnknown(conversation, link) &&
          clock.now() <
            livesUntilByList(conversation, {
              // As signed: a server can move the clock of this page. By wrong clocks, what is named lives on for what
              // remains of the margin.
              time: context.sentAt + Math.max(clockMargin(retention()) - 2 * limits.clockTolerance, 0),
              lifetime: lifetimeOf(message),
              noted: sentBefore(conversation, link, message),
            }),
      )
    },
    isLiving(conversation, message) {
      if (message.hasEnded) return false
      const ends = Math.min(message.expiresAt, shownEnd(message), correctedEnd(message))
      const stated = ends - putBackSince(clock, message.recordedAt, message) - clockMargin(retention())
      // An own one may have been sent to the last keys of a contact who is away, and expire with them.
      const sent = { time: sentAtOf(message), lifetime: lifetimeOf(message), noted: message }
      const byList = message.mine ? -Infinity : livesUntilByList(conversation, sent)
      return clock.now() < Math.max(stated, byList)
    },
    needsWhole({ isPartial, wholeTimes }, messages) {
      const newest = wholeTimes.at(-1)
      const lifetime = Math.min(retention(), ...messages.flatMap(({ context }) => context?.lifetime ?? []))
      const mayBeOld = Math.max(lifetime / 4, minWholeAge)
      const isOld = newest && newest.from - putBackSince(clock, newest.to, newest) < clock.now() - mayBeOld
      return isPartial === true || isOld === true
    },
  }
}
