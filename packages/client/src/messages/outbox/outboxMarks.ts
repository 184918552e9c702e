import { isCallError } from '../../transport/callError.ts'
import type { ServerClock } from '../../transport/serverClock.ts'
import type { Deadline, StoredItem } from './outboxStore.ts'

/**
 * Tracks whether each outbox item may have left, and until when it can be resent without the server storing it twice.
 * The mark is stored before the message leaves, for the tab that continues after this one ends.
 */
export interface OutboxMarks {
  /** Marks an item that is added or retried, so that it can leave even if the device refuses every later write. */
  markSendable(item: StoredItem): StoredItem
  /** Marks an item that is written back to an emptied store: another tab may be sending it. */
  markAsMaybeSent(item: StoredItem): StoredItem
  /** Marks an item that is about to leave. */
  markSending(item: StoredItem): StoredItem
  /**
   * Whether this tab may send the item although the device has refused to store it as marked. `written`: the item as
   * the device holds it, which must let no other tab repeat it for longer than the mark does.
   */
  canLeave(item: StoredItem, written: StoredItem | undefined): boolean
  recordLeft(id: string): void
  /** Whether this tab has sent the item. */
  hasRecordedLeft(id: string): boolean
  /** Whether certainly no tab has sent the item. */
  hasNotLeft(item: StoredItem): boolean
  /** Whether it may have arrived and expired at the server, which would store it a second time. */
  mayHaveExpired(item: StoredItem): boolean
  /** Removes the marks of an item that the server certainly has not stored. */
  remove(item: StoredItem): StoredItem
}

/** Safety margin before the server may expire a message: for requests under way and differing clocks. */
const expiryMarginMs = 60_000

const earlier = (one: Deadline, other: Deadline | undefined = one): Deadline => ({
  server: Math.min(one.server, other.server),
  device: Math.min(one.device, other.device),
})

export function createOutboxMarks(deps: {
  clock: Pick<ServerClock, 'now' | 'correction'>
  retention: () => number
  tabId: string
  isConnected: () => boolean
}): OutboxMarks {
  const { clock, retention, tabId, isConnected } = deps
  /** Items that this tab has sent. */
  const sentHere = new Set<string>()

  function repeatDeadline(sentAt: number, sealed?: StoredItem['sealed']): Deadline {
    const expiresAt = Math.min(sentAt + (sealed?.lifetime ?? retention()), sealed?.readableUntil ?? Infinity)
    const server = expiresAt - expiryMarginMs
    return { server, device: server - clock.correction() }
  }

  /** By either clock: a server whose clock was put back destroys in time what it stored before, too. */
  function hasPassed({ server, device }: Deadline): boolean {
    return clock.now() >= server || clock.now() - clock.correction() >= device
  }

  function hasNotLeft({ id, repeatableUntil, mayLeave }: StoredItem): boolean {
    if (repeatableUntil !== undefined) return false
    return mayLeave === undefined || (mayLeave.tabId === tabId && !sentHere.has(id))
  }

  function remove(item: StoredItem): StoredItem {
    sentHere.delete(item.id)
    return { ...item, repeatableUntil: undefined, mayLeave: undefined }
  }

  return {
    hasNotLeft,
    remove,
    markSendable(item) {
      if (!hasNotLeft(item)) return item
      const mayLeave = isConnected() ? { tabId, until: repeatDeadline(clock.now()) } : undefined
      return { ...item, mayLeave }
    },
    markAsMaybeSent(item) {
      const { repeatableUntil, mayLeave, createdAt } = item
      if (repeatableUntil !== undefined) return item
      const latest = repeatDeadline(Math.min(createdAt, clock.now()))
      return { ...item, mayLeave: { tabId: '', until: mayLeave?.until ?? latest } }
    },
    markSending(item) {
      const first = item.repeatableUntil ?? (hasNotLeft(item) ? undefined : item.mayLeave?.until)
      // It may have been sealed again with a shorter lifetime, or to keys that are destroyed sooner.
      const latest = repeatDeadline(clock.now(), item.sealed)
      return { ...item, repeatableUntil: earlier(latest, first) }
    },
    canLeave({ repeatableUntil }, written) {
      const { mayLeave } = written ?? {}
      const until = written?.repeatableUntil ?? (mayLeave?.tabId === tabId ? mayLeave.until : undefined)
      if (!until || !repeatableUntil) return until !== undefined
      return until.server <= repeatableUntil.server && until.device <= repeatableUntil.device
    },
    recordLeft: (id) => void sentHere.add(id),
    hasRecordedLeft: (id) => sentHere.has(id),
    mayHaveExpired(item) {
      const until = item.repeatableUntil ?? item.mayLeave?.until
      return until !== undefined && !hasNotLeft(item) && hasPassed(until)
    },
  }
}

/** The longest wait (s) for the limits of the other calls that sending makes. Only publishing epochs waits longer. */
const maxShortWait = 600

/** The reason that a waiting item shows, and until when, if the wait is long. */
export function reasonToWait(error: unknown, now: number): Pick<StoredItem, 'error' | 'code' | 'until'> {
  if (!isCallError(error, 'RATE_LIMITED') || !error.retryAfter || error.retryAfter <= maxShortWait) return {}
  return { error: error.sentence, code: error.code, until: now + error.retryAfter * 1000 }
}
