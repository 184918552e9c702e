import type { Clock } from '../transport/clock.ts'
import type { KeptItem } from './outboxStore.ts'

/**
 * Tells of each item in the outbox whether it may have left, and until when it can be sent again without the server
 * storing it twice. The device has the mark before the message leaves: a tab that dies leaves it to the next one.
 */
export interface OutboxMarks {
  /** Marks an item that is added, or tried again, so that it can leave even if the device refuses every later write. */
  expectLeaving(item: KeptItem): KeptItem
  /** Marks an item that is written back to an emptied store: another tab may be sending it. */
  presume(item: KeptItem): KeptItem
  /** Marks an item that is about to leave. */
  markLeaving(item: KeptItem): KeptItem
  /** Whether this tab may let the message leave with the item as the device has it. */
  allowLeaving(written: KeptItem | undefined): boolean
  letLeave(id: string): void
  /** Whether this tab has let it leave. */
  hasLetLeave(id: string): boolean
  /** Certain: no tab has let it leave. */
  hasNotLeft(item: KeptItem): boolean
  /** It may have arrived so long ago that the server has forgotten it and would store it again. */
  mayBeForgotten(item: KeptItem): boolean
  /** The item without marks: certainly not stored by the server. */
  remove(item: KeptItem): KeptItem
}

/** Before the server may forget a message (ms): for a request that is on its way, and clocks that differ. */
const forgettingMargin = 60_000

export function createOutboxMarks(deps: {
  clock: Clock
  retention: () => number
  tabId: string
  isConnected: () => boolean
}): OutboxMarks {
  const { clock, retention, tabId, isConnected } = deps
  /** Items that this tab has let leave. */
  const left = new Set<string>()

  const repeatableFrom = (time: number) => time + retention() - forgettingMargin

  function hasNotLeft({ id, repeatableUntil, mayLeave }: KeptItem): boolean {
    if (repeatableUntil !== undefined) return false
    return mayLeave === undefined || (mayLeave.tabId === tabId && !left.has(id))
  }

  function remove(item: KeptItem): KeptItem {
    left.delete(item.id)
    return { ...item, repeatableUntil: undefined, mayLeave: undefined }
  }

  return {
    hasNotLeft,
    remove,
    expectLeaving(item) {
      if (!hasNotLeft(item)) return item
      const mayLeave = isConnected() ? { tabId, until: repeatableFrom(clock.now()) } : undefined
      return { ...item, mayLeave }
    },
    presume(item) {
      const { repeatableUntil, mayLeave, createdAt } = item
      if (repeatableUntil !== undefined) return item
      return { ...item, mayLeave: { tabId: '', until: mayLeave?.until ?? repeatableFrom(createdAt) } }
    },
    markLeaving(item) {
      const first = hasNotLeft(item) ? repeatableFrom(clock.now()) : item.mayLeave?.until
      return { ...item, repeatableUntil: item.repeatableUntil ?? first }
    },
    allowLeaving: (written) => written?.repeatableUntil !== undefined || written?.mayLeave?.tabId === tabId,
    letLeave: (id) => void left.add(id),
    hasLetLeave: (id) => left.has(id),
    mayBeForgotten(item) {
      const until = item.repeatableUntil ?? item.mayLeave?.until
      return until !== undefined && !hasNotLeft(item) && clock.now() >= until
    },
  }
}
