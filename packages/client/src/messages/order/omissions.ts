import { timeOfId } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import type { MessageContext } from '@privity/e2ee'
import type { ServerClock } from '../../transport/serverClock.ts'
import type { DecryptedMessage } from '../../types.ts'

/** A message that the server has delivered in a conversation. */
export interface DeliveredMessage {
  id: string
  seq: number
  mine: boolean
  createdAt: number
  /** The time until which the page shows it. */
  expiresAt: number
  link: string
  envelopeId: string
  /** Absent where it could not be opened. */
  context: MessageContext | undefined
  isDeleted?: boolean
}

type Clocks = Pick<ServerClock, 'now' | 'steady' | 'correction'>

/** The device's own times at the moment when something was noted by the server's clock. */
export interface Noted {
  /** By the monotonic clock, which can stand still while the device sleeps. */
  steadyAt: number
  /** By the wall clock, which can be set. */
  deviceAt: number
}

/** A time at which this page knew every living message of a conversation, and the lifetime of messages then. */
interface WholeTime extends Noted {
  /** When the list was asked for and answered. `from` is not after `to`, even if the clock was put back meanwhile. */
  from: number
  to: number
  retention: number
}

export interface Recorded extends DeliveredMessage, Noted {
  recordedAt: number
  /** Whether the page has it from a list of its own or a notice. */
  isShown: boolean
  /** The server has left it out of a list where it belongs, or expires it early, although it lives. */
  isHidden: boolean
  isExpired: boolean
  /** This browser has shown it until its end, perhaps in another page, and refuses it now. */
  hasEnded: boolean
  /** It was delivered before the page asked for a list after which the page knew every living message. */
  isCovered: boolean
}

/** An answer of the server that lists the newest messages of a conversation. */
export interface NewestList {
  askedAt: number
  answeredAt: number
  /** The lowest and highest number in it; undefined for an empty list. */
  first: number | undefined
  last: number | undefined
  /** Whether it lists all that live. */
  isWhole: boolean
  /** The messages that were known before it was asked for. */
  known: readonly Recorded[]
}

/** The messages that a page shows, by id; undefined for one that could not be opened. */
export type ShownMessages = ReadonlyMap<string, Pick<DecryptedMessage, 'mine' | 'expiresAt'> | undefined>

/** The messages of a list that the page shows. */
export interface ShownList {
  /** The messages that were known before it was asked for. */
  known: readonly Recorded[]
  shown: ShownMessages
  /** It holds every living message from this number on, and before `before`. */
  first: number
  before: number | undefined
}

/** The messages of a conversation that this page knows. */
export interface Conversation {
  /** Since when the contact has certainly had keys without a gap: messages before it may have expired with a key. */
  presentSince: () => number
  byId: Map<string, Recorded>
  byLink: Map<string, Recorded>
  /** The opened messages of each envelope by number. */
  numbers: Map<string, Map<number, Recorded>>
  wholeTimes: WholeTime[]
  /** Every living message up to this number is known. */
  coveredTo: number | undefined
  /** Only a part of it was listed. */
  isPartial: boolean
  unchecked: Set<Recorded>
  /** Messages before which one is missing. */
  marked: Set<Recorded>
  late: Set<string>
  isAlarmed: boolean
  checking: Promise<void> | undefined
  /** When the whole of it was last asked for, because a message seemed to be missing. */
  askedAt: number
  stopTimer: (() => void) | undefined
}

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

/** A message that is stored in the grace after an epoch has ended expires with its seed. */
const minKeyLifetime = limits.retention - limits.epochGrace

/** The links of the messages that one names. */
export const linksIn = (context: MessageContext | undefined): string[] =>
  [context?.previous, context?.otherPrevious, context?.seen].filter((link) => link !== undefined)

/** Whether a marked message links to this one, or has a later number under its envelope: this one may close its gap. */
export const isMissed = ({ marked }: Conversation, { link, envelopeId, context }: DeliveredMessage) =>
  [...marked].some(
    (message) =>
      linksIn(message.context).includes(link) ||
      (context && message.envelopeId === envelopeId && context.n < (message.context?.n ?? 0)),
  )

/**
 * Returns the messages that a list from the number `first` on holds: by their own numbers, or because they name one
 * that it holds. The number alone is the server's word.
 */
export function messagesFrom({ byId }: Conversation, first: number): ReadonlySet<Recorded> {
  const all = [...byId.values()]
  const naming = Map.groupBy(
    all.flatMap((message) => linksIn(message.context).map((link) => ({ link, message }))),
    ({ link }) => link,
  )
  const found = new Set(all.filter(({ seq }) => seq >= first))
  // The set grows while it is walked through.
  for (const { link } of found) for (const { message } of naming.get(link) ?? []) found.add(message)
  return found
}

/** Whether a message was delivered that belongs to those that the page shows, and that it does not show. */
export function hasUnshown(conversation: Conversation): boolean {
  let first = Infinity
  for (const { isShown, seq } of conversation.byId.values()) if (isShown && seq < first) first = seq
  return [...messagesFrom(conversation, first)].some((each) => !each.isShown && !each.isHidden && !each.isExpired)
}

/** Judges which messages of a conversation the server has left out. */
export interface Omissions {
  /** Whether this page has not been given everything that the message names. */
  isIncomplete(conversation: Conversation, message: Recorded): boolean
  /** Whether a message is missing before this one that certainly lives. */
  isMissingBefore(conversation: Conversation, message: Recorded): boolean
  /** Whether a delivered message certainly lives, whatever the server says of its expiry now. */
  isLiving(conversation: Conversation, message: Recorded): boolean
}

const correctedEarlier = 61 * 60_000

const numberOf = (message: Recorded | undefined) => message?.context?.n ?? 0

export function createOmissions(clock: Clocks, retention: () => number): Omissions {
  /** Counts the numbers that are missing before this message under its envelope, without those of unopened messages. */
  function gapBefore({ byId, numbers }: Conversation, { envelopeId, context, seq }: Recorded): number {
    if (!context) return 0
    const { n } = context
    const isGiven = (each: Recorded | undefined) => each && !each.isHidden && (each.isShown || !each.isExpired)
    const under = numbers.get(envelopeId)
    if (n === 1 || isGiven(under?.get(n - 1))) return 0
    let last: Recorded | undefined
    for (const each of under?.values() ?? [])
      if (isGiven(each) && numberOf(each) < n && numberOf(each) > numberOf(last)) last = each
    const isBetween = (each: Recorded) => each.seq > (last?.seq ?? -Infinity) && each.seq < seq
    const isUnopened = (each: Recorded) => !each.context && !each.isHidden && (!each.isExpired || each.hasEnded)
    const unopened = [...byId.values()].filter(
      (each) => each.envelopeId === envelopeId && isUnopened(each) && isBetween(each),
    )
    return Math.max(n - numberOf(last) - 1 - unopened.length, 0)
  }

  const isUnknown = ({ byLink }: Conversation, link: string) => !byLink.has(link)

  const isHidden = ({ byLink }: Conversation, link: string) => byLink.get(link)?.isHidden === true

  const isIncomplete = (conversation: Conversation, message: Recorded): boolean =>
    gapBefore(conversation, message) > 0 ||
    linksIn(message.context).some((link) => isUnknown(conversation, link) || isHidden(conversation, link))

  /**
   * The time until which a message certainly lives that has this lifetime or a longer one, and was sent before `time`,
   * but after the last list before `time` by which this page knew every living message. An unknown message that is
   * linked to was sent in between: one from before that list would have been in it, because senders link only to
   * messages that live on for the margin of the clocks.
   */
  function livesUntilByList({ wholeTimes, presentSince }: Conversation, time: number, lifetime: number): number {
    const whole = wholeTimes.findLast(({ to }) => to < time)
    if (whole === undefined || whole.from < presentSince()) return -Infinity
    const least = Math.min(retention(), whole.retention, minKeyLifetime, lifetime)
    return whole.from - putBackSince(clock, whole.to, whole) + least - clockMargin(retention())
  }

  /** The time until which a page shows a message, unless a stated expiry is earlier: see `shownUntil` of decrypt.ts. */
  function shownEnd({ createdAt, context }: Recorded): number {
    const { sentAt, lifetime } = context ?? { sentAt: createdAt, lifetime: retention() }
    const signedEnd = sentAt + Math.min(lifetime, retention())
    return createdAt > signedEnd + limits.clockTolerance ? signedEnd : createdAt + retention()
  }

  /**
   * The end to which a server corrects what it stored while its clock was ahead, once that clock has been right for an
   * hour: an hour and the interval of the correction before the retention ends, counted from then.
   */
  const correctedEnd = ({ createdAt, recordedAt }: Recorded): number =>
    createdAt > recordedAt + limits.clockTolerance ? recordedAt + retention() - correctedEarlier : Infinity

  const lifetimeOf = ({ context }: Recorded) => context?.lifetime ?? 0

  /** A time that a message names, by the clock as it is now. */
  const correctedTime = (message: Recorded, time: number): number =>
    Math.min(time, message.recordedAt) - putBackSince(clock, message.recordedAt, message)

  const sentAtOf = (message: Recorded) => correctedTime(message, message.context?.sentAt ?? 0)

  /**
   * The time until which every message certainly lives that was stored after the envelope of `message` was made. It
   * lives as long as `message` has signed, from the time of the envelope on, but not longer than `message` itself,
   * because the keys of both are destroyed together. A list before the envelope may prove a longer life.
   */
  function livesUntilByEnvelope(conversation: Conversation, message: Recorded): number {
    const madeAt = correctedTime(message, timeOfId(message.envelopeId) ?? -Infinity)
    const lifetime = Math.min(retention(), lifetimeOf(message))
    const byList = livesUntilByList(conversation, madeAt, lifetimeOf(message))
    return Math.max(Math.min(madeAt + lifetime, message.expiresAt) - clockMargin(retention()), byList)
  }

  return {
    isIncomplete,
    isMissingBefore(conversation, message) {
      const { context } = message
      if (!context || message.isExpired) return false
      const { previous, n } = context
      const links = linksIn(context)
      if (links.some((link) => isHidden(conversation, link))) return true
      // The envelope was made before its messages, and before each message that its sender stored between two of them.
      const isEnvelopeLiving = clock.now() < livesUntilByEnvelope(conversation, message)
      if (isEnvelopeLiving && gapBefore(conversation, message) > 0) return true
      if (isEnvelopeLiving && n > 1 && previous !== undefined && isUnknown(conversation, previous)) return true
      if (!links.some((link) => isUnknown(conversation, link))) return false
      return clock.now() < livesUntilByList(conversation, sentAtOf(message), lifetimeOf(message))
    },
    isLiving(conversation, message) {
      if (message.hasEnded) return false
      const ends = Math.min(message.expiresAt, shownEnd(message), correctedEnd(message))
      const stated = ends - putBackSince(clock, message.recordedAt, message) - clockMargin(retention())
      // An own one may have been sent to the last keys of a contact who is away, and expire with them.
      const byList = message.mine ? -Infinity : livesUntilByList(conversation, sentAtOf(message), lifetimeOf(message))
      return clock.now() < Math.max(stated, byList)
    },
  }
}
