import type { MessageContext } from '@privity/e2ee'
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
  /** Its number under the envelope, as its sender signed it with the message or its deletion. */
  n: number | undefined
  /** Absent where it could not be opened, or was deleted before. */
  context: MessageContext | undefined
  isDeleted?: boolean | undefined
}

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
  /** The page has shown it, from one of its lists or a notice. */
  isShown: boolean
  /** The server has left it out of a list where it belongs, or expires it early, although it lives. */
  isHidden?: boolean
  isExpired: boolean
  /** When it expired in the page: at its stated end, or earlier. */
  endedAt?: number
  /**
   * The page has shown it, or the last fetch of the whole conversation held it. Needed for messages that cannot be
   * opened, such as altered copies: the server may give those only where nobody sees them.
   */
  isListed?: boolean
  /** This browser has shown it until its end, perhaps in another page, and refuses it now. */
  hasEnded: boolean | undefined
  /** It was delivered before the page asked for a list after which the page knew every living message. */
  isCovered?: boolean
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
  /** All that live, where they were fetched to find what is missing. */
  ids?: ReadonlySet<string>
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
  /** The messages of each envelope by number. */
  numbers: Map<string, Map<number, Recorded>>
  /** The ids of own messages whose deletion the member has signed; a page may show one before it is delivered. */
  ownDeleted: Set<string>
  wholeTimes: WholeTime[]
  /** The page lists every living message from this number on. */
  shownFrom: number
  /** Every living message up to this number is known. */
  coveredTo?: number | undefined
  /** Only a part of it was listed. */
  isPartial?: boolean
  unchecked: Set<Recorded>
  /** Messages before which one is missing. */
  marked: Set<Recorded>
  late: Set<string>
  isAlarmed?: boolean
  checking?: Promise<void> | undefined
  /** When the whole of it was last asked for, because a message seemed to be missing. */
  askedAt: number
  /** The last call for the whole of it. */
  whole?: Promise<void>
  stopTimer?: (() => void) | undefined
}

export const createConversation = (presentSince: () => number): Conversation => ({
  presentSince,
  byId: new Map(),
  byLink: new Map(),
  numbers: new Map(),
  ownDeleted: new Set(),
  wholeTimes: [],
  shownFrom: Infinity,
  unchecked: new Set(),
  marked: new Set(),
  late: new Set(),
  askedAt: -Infinity,
})

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

/** Adds a message, in the place of another one under its id. What was opened stays known by its link. */
export function addRecorded({ byId, byLink, numbers }: Conversation, recorded: Recorded): void {
  const { id, link, envelopeId, n } = recorded
  const before = byId.get(id)
  if (before && before.link !== link && byLink.get(before.link) === before) byLink.delete(before.link)
  byId.set(id, recorded)
  if (n !== undefined || byLink.get(link)?.n === undefined) byLink.set(link, recorded)
  if (n !== undefined)
    numbers.set(envelopeId, (numbers.get(envelopeId) ?? new Map<number, Recorded>()).set(n, recorded))
}

/**
 * Sets which messages count as listed once the whole conversation was fetched. `known`: those from before it was asked
 * for. Returns whether one that could not be opened no longer counts.
 */
export function updateListed({ byId }: Conversation, known: readonly Recorded[], ids: ReadonlySet<string>): boolean {
  const before = new Set(known)
  let isWithdrawn = false
  for (const each of byId.values()) {
    const isListed = ids.has(each.id) || (each.isListed === true && !before.has(each))
    if (each.n === undefined && each.isListed && !isListed) isWithdrawn = true
    each.isListed = isListed
  }
  return isWithdrawn
}

/** Forgets messages that expired before `time`. */
export function removeOld({ byId, byLink, numbers, late }: Conversation, time: number): void {
  for (const [id, { expiresAt, link, envelopeId }] of byId) {
    if (expiresAt >= time) continue
    byId.delete(id)
    byLink.delete(link)
    numbers.delete(envelopeId)
    late.delete(id)
  }
}

/**
 * True if lists have settled what this message misses. They have not while an unopened message from before the page's
 * lists may be the missing one: only the whole conversation says whether the server still lists it.
 */
export function canJudge({ byId, shownFrom }: Conversation, { isCovered, envelopeId, context }: Recorded): boolean {
  const isNamed = (each: Recorded) => each.envelopeId === envelopeId || linksIn(context).includes(each.link)
  const isUnsure = (each: Recorded) =>
    each.n === undefined && !each.isListed && !each.isExpired && each.seq < shownFrom && isNamed(each)
  return isCovered === true && ![...byId.values()].some(isUnsure)
}
