import { timeOfId } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import type { MessageContext } from '@privity/e2ee'
import type { Clock } from '../transport/clock.ts'

/** A message that the server has shown in a conversation. */
export interface ShownMessage {
  id: string
  seq: number
  mine: boolean
  createdAt: number
  /** As the server states it. */
  expiresAt: number
  link: string
  envelopeId: string
  /** Absent where it could not be opened. */
  context: MessageContext | undefined
}

/** A time at which this page knew every living message of a conversation, and the lifetime of messages then. */
interface WholeTime {
  from: number
  to: number
  retention: number
}

export interface Recorded extends ShownMessage {
  recordedAt: number
  isExpired: boolean
}

/** The messages of a conversation that this page knows. */
export interface Conversation {
  /** Since when the contact has had keys of each time: messages sent before may have expired with the last ones. */
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

/** Beyond what the clocks of two browsers and a server differ by. */
const marginMs = 60_000

/** A message that is stored in the grace after an epoch has ended expires with its seed. */
const minKeyLifetime = limits.retention - limits.epochGrace

/** Whether it closes a gap, or is what a marked message links to. */
export const isMissed = ({ marked }: Conversation, { link, envelopeId, context }: ShownMessage) =>
  [...marked].some(
    (message) =>
      message.context?.previous === link ||
      message.context?.seen === link ||
      (context && message.envelopeId === envelopeId && context.n < (message.context?.n ?? 0)),
  )

/** Judges which messages of a conversation the server has left out. */
export interface Omissions {
  /** Whether this page does not know everything that the message names. */
  isIncomplete(conversation: Conversation, message: Recorded): boolean
  /** Whether a message is missing before this one that certainly lives. */
  isMissingBefore(conversation: Conversation, message: Recorded): boolean
}

export function createOmissions(clock: Pick<Clock, 'now'>, retention: () => number): Omissions {
  /** How many numbers are missing before this message under its envelope, and are not those of unopened messages. */
  function gapBefore({ byId, numbers }: Conversation, { envelopeId, context }: Recorded): number {
    if (!context) return 0
    const under = [...(numbers.get(envelopeId)?.keys() ?? [])]
    const lower = Math.max(0, ...under.filter((n) => n < context.n))
    const gap = context.n - lower - 1
    if (gap === 0) return 0
    const unopened = [...byId.values()].filter((each) => each.envelopeId === envelopeId && !each.context)
    return Math.max(...under) - under.length > unopened.length ? gap : 0
  }

  const isUnknown = ({ byLink }: Conversation, link: string | undefined) => link !== undefined && !byLink.has(link)

  const isIncomplete = (conversation: Conversation, message: Recorded): boolean =>
    gapBefore(conversation, message) > 0 ||
    isUnknown(conversation, message.context?.previous) ||
    isUnknown(conversation, message.context?.seen)

  /** The time until which a message certainly lives that was sent at `time` or later, and before this one. */
  function livesUntil(time: number, message: Recorded, retentionThen = Infinity): number {
    const { createdAt, expiresAt, context } = message
    const ahead = Math.min(Math.max((context?.sentAt ?? 0) - createdAt, 0), limits.clockTolerance)
    return time + Math.min(retention(), retentionThen, expiresAt - createdAt) - ahead - marginMs
  }

  /** Whether a message that this one links to certainly lives, because this page knew all that were sent before. */
  function isSentSinceWhole({ wholeTimes, presentSince }: Conversation, message: Recorded): boolean {
    const sentAt = Math.min(message.context?.sentAt ?? 0, message.recordedAt)
    const whole = wholeTimes.findLast(({ to }) => to + marginMs < sentAt)
    if (whole === undefined || whole.from < presentSince()) return false
    return clock.now() < livesUntil(whole.from, message, Math.min(whole.retention, minKeyLifetime))
  }

  /** Whether a message is missing before this one that certainly lives. */
  function isMissingBefore(conversation: Conversation, message: Recorded): boolean {
    const { context, envelopeId } = message
    if (!context || message.isExpired) return false
    // Everything under the envelope, and what its sender has stored between two of them, was sent after it was made.
    const isUnderEnvelope = clock.now() < livesUntil(timeOfId(envelopeId) ?? -Infinity, message)
    if (isUnderEnvelope && gapBefore(conversation, message) > 0) return true
    const isPreviousUnknown = isUnknown(conversation, context.previous)
    if (isPreviousUnknown && context.n > 1 && isUnderEnvelope) return true
    return (isPreviousUnknown || isUnknown(conversation, context.seen)) && isSentSinceWhole(conversation, message)
  }

  return { isIncomplete, isMissingBefore }
}
