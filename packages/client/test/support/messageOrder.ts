import { limits } from '@privity/contract/limits'
import { newId } from '@privity/e2ee'
import { createMessageOrder } from '../../src/messages/order/messageOrder.ts'
import { hour } from './orderModel/scene.ts'

/** Overrides what `deliver` makes of a message. */
interface Delivery {
  /** The id of an earlier message, whose place it takes. */
  id?: string
  /** Its number under the envelope; without it the message cannot be opened. */
  n?: number
  mine?: boolean
  previous?: string
  otherPrevious?: string
  seen?: string
  seq?: number
  /** The lifetime that its sender has signed. */
  lifetime?: number
  /** How long it lives by the server's word. */
  lives?: number
  /** By how much the server's clock is ahead of the page's when it stores the message. */
  ahead?: number
  /** By how much the sender's clock is ahead of the page's. */
  senderAhead?: number
  envelopeId?: string
}

/**
 * The order of one conversation, whose messages are delivered by hand. A page has known the whole conversation for an
 * hour, unless it is fresh. `isBack`: the contact came back after the page knew it. `isTimeless`: the server no longer
 * says the time. `listWhole` lists the whole conversation when a check asks for it.
 */
export function createOrder({
  isFresh = false,
  isBack = false,
  isTimeless = false,
  listWhole = () => Promise.resolve(),
}: { isFresh?: boolean; isBack?: boolean; isTimeless?: boolean; listWhole?: () => Promise<void> } = {}) {
  let now = Date.UTC(2030, 0, 1)
  let correction = 0
  let retention: number = limits.retention
  const presentSince = isBack ? now + 1 : -Infinity
  let timers: (() => void)[] = []
  const counts = { fetched: 0, alarms: 0 }
  const order = createMessageOrder({
    clock: {
      now: () => now + correction,
      after: (_ms, run) => {
        timers.push(run)
        return () => {}
      },
      isSynchronized: () => !isTimeless,
      correction: () => correction,
      synchronize: () => (isTimeless ? Promise.reject(new Error('No answer.')) : Promise.resolve()),
    },
    retention: () => retention,
    memory: {
      expiryOf: async () => undefined,
      recordShown() {},
      lastSent: () => [],
      refresh: async () => {},
      recordSent() {},
      stop: async () => {},
    },
    presentSince: () => presentSince,
    listWhole() {
      counts.fetched += 1
      return listWhole()
    },
    onChange() {},
    onMissing: () => (counts.alarms += 1),
  })
  /**
   * The page lists all messages that it knows: the whole conversation, or only the newest part of it. `ids`: what all
   * of it holds, where it was fetched to find what is missing.
   */
  function listKnown({ isWhole = true, ids }: { isWhole?: boolean; ids?: string[] } = {}): void {
    const [at, known] = [now + correction, order.known('c')]
    const numbers = { first: isWhole ? undefined : 1_000, last: undefined }
    const all = ids && { ids: new Set(ids) }
    order.recordNewest('c', { askedAt: at, answeredAt: at, ...numbers, isWhole, known, ...all })
  }
  if (!isFresh) listKnown()
  now += hour
  const envelopeId = newId(now)
  let seq = 0

  return {
    order,
    counts,
    listKnown,
    setAhead: (milliseconds: number) => void (correction = milliseconds),
    setRetention: (milliseconds: number) => void (retention = milliseconds),
    pass: (milliseconds: number) => void (now += milliseconds),
    runTimers: () => timers.splice(0).forEach((run) => run()),
    /** Delivers a message with this link, and returns its id. */
    deliver(
      link: string,
      {
        n,
        mine = false,
        previous,
        otherPrevious,
        seen,
        lifetime = limits.retention,
        lives = lifetime,
        ahead = 0,
        senderAhead = 0,
        id: earlierId,
        ...fields
      }: Delivery = {},
    ): string {
      now += 100
      seq += 1
      const id = earlierId ?? newId(now)
      const at = now + correction
      const times = { createdAt: at + ahead, expiresAt: at + ahead + lives }
      const context =
        n === undefined ? undefined : { sentAt: at + senderAhead, n, lifetime, previous, otherPrevious, seen }
      order.record('c', { id, seq, mine, ...times, link, envelopeId, n, context, ...fields })
      return id
    },
    /** The page lists these messages, and nothing else. */
    list(ids: string[]): void {
      const known = order.known('c')
      const isOpened = new Set(known.filter(({ context }) => context).map(({ id }) => id))
      const find = (id: string) => (isOpened.has(id) ? known.find((each) => each.id === id) : undefined)
      order.recordListed('c', {
        known,
        shown: new Map(ids.map((id) => [id, find(id)])),
        first: -Infinity,
        before: undefined,
      })
    },
    /** Checks the order, and returns the ids of the messages with a mark. */
    async marked(): Promise<string[]> {
      await order.check('c')
      return [...order.marks('c').keys()]
    },
  }
}
