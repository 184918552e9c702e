import type { Message } from '@privity/contract/messages'
import { type MessageBody, newId } from '@privity/e2ee'
import { CallError, isCallError, isRetryable, maySucceedLater } from '../../transport/callError.ts'
import type { ServerClock } from '../../transport/serverClock.ts'
import type { DeviceChange, StoredItem, OutboxStore } from './outboxStore.ts'
import { createOutboxMarks, reasonToWait } from './outboxMarks.ts'
import type { MessageSender } from '../encrypt.ts'
import type { WritableStore } from '../../transport/store.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { OutboxItem } from '../../types.ts'

/**
 * Messages to be sent: stored encrypted on this device first, then sent once each, in order and by one tab at a time,
 * as soon as the server can be reached.
 */
export interface Outbox {
  /** Adds a message, with `otherChanges` in the same transaction. */
  add(
    connectionId: string,
    body: MessageBody,
    options?: { file?: StoredItem['file']; id?: string; otherChanges?: OtherChanges | undefined },
  ): Promise<OutboxItem>
  retry(id: string): Promise<void>
  /** Removes an item; one that is being sent may still arrive. */
  discard(id: string): Promise<void>
  /** Sends the waiting items; `add` and `retry` call it themselves. */
  flush(): void
  /** Handles the socket's notice that the server has stored this message: the response may have been lost. */
  arrived(id: string): Promise<void>
  reload(): Promise<void>
  /** Reloads after a change by another tab, and sends on its behalf: that tab may be closed. */
  followTab(removed?: string): Promise<void>
  removeConnection(connectionId: string): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

type OtherChanges = () => Promise<DeviceChange>

const minRetryDelayMs = 1_000
const maxRetryDelayMs = 30_000
/** A contact who comes back is told of at once, if this browser is connected; otherwise it asks. */
const awayDelayMs = 60_000
const unknownErrorMessage = 'The message could not be sent.'

export interface OutboxDeps {
  userId: string
  clock: Pick<ServerClock, 'now' | 'after' | 'correction'>
  /** How long an item may wait (ms): the message lifetime. */
  retention: () => number
  store: OutboxStore
  sender: MessageSender
  /** Whether an item added now is likely to be sent at once. */
  isConnected: () => boolean
  tabs: Tabs
  items: WritableStore<readonly OutboxItem[]>
  /** Called with each stored message before it is removed from the outbox. */
  onStored(message: Message): Promise<void>
  onFailed(id: string, error: unknown): void
}

/** Errors after which an item keeps waiting, because they pass by themselves: full storage when messages expire. */
const staysWaiting = (error: unknown) => maySucceedLater(error) || isCallError(error, 'NOT_SIGNED_IN', 'STORAGE_FAILED')

/** A stored message counts as sent even if showing it fails; only retryable errors are rethrown. */
function rethrowRetryable(error: unknown): void {
  if (isRetryable(error)) throw error
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { userId, clock, store, sender, tabs, items, retention } = deps
  let kept: StoredItem[] = []
  let running: Promise<void> | undefined
  let runAgain = false
  let stopped = false
  let retryDelayMs = minRetryDelayMs
  let stopTimer: (() => void) | undefined
  let stopAwayTimer = () => {}
  let lastNow = 0
  /** Ids that the socket reported as stored while the response was still awaited. */
  const arrived = new Set<string>()

  const marks = createOutboxMarks({ clock, retention, tabId: tabs.id, isConnected: deps.isConnected })

  function shown(item: StoredItem): OutboxItem {
    const { id, connectionId, createdAt, body, state, error, code, until } = item
    const isFinal = state === 'failed' && marks.mayHaveExpired(item)
    return { id, connectionId, createdAt, body, state, error, code, until, ...(isFinal && { isFinal }) }
  }

  function show(next: StoredItem[]): void {
    if (stopped) return
    kept = next.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    items.set(kept.map(shown))
  }

  const find = (id: string) => kept.find((each) => each.id === id)
  const replaced = (item: StoredItem) => kept.map((each) => (each.id === item.id ? item : each))

  let queue: Promise<unknown> = Promise.resolve()
  /** Runs changes in order, so that the shown items follow the stored ones. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = queue.then(change)
    queue = turn.catch(() => {})
    return turn
  }

  /** Returns now, or a time after all items if that is later: items are ordered by it, and another tab may be ahead. */
  function nextTime(): number {
    const latest = Math.max(lastNow, ...kept.map(({ createdAt }) => createdAt))
    lastNow = Math.max(clock.now(), latest + 1)
    return lastNow
  }

  const add = (item: StoredItem, otherChanges: OtherChanges | undefined) =>
    inTurn(async () => {
      await store.add(item, await otherChanges?.())
      show([...kept, item])
    })

  /** Saves a change unless the item was discarded or the outbox has stopped. Returns false if the device refused it. */
  const save = (item: StoredItem) =>
    inTurn(async () => {
      if (stopped || !find(item.id)) return true
      const isWritten = await store.save(item.id, item)
      show(replaced(item))
      return isWritten
    })

  /**
   * Saves the marked item before it is sent, so that a tab that continues after this one knows that it may have left.
   * Throws STORAGE_FAILED if no mark on the device says so.
   */
  async function saveToLeave(item: StoredItem): Promise<void> {
    if (!(await save(item)) && !marks.canLeave(item, await store.find(item.id))) throw new CallError('STORAGE_FAILED')
    if (stopped || !find(item.id)) throw new CallError('NOT_SIGNED_IN')
  }

  const remove = (id: string) =>
    inTurn(async () => {
      await store.save(id, undefined)
      show(kept.filter((each) => each.id !== id))
    })

  const reload = () =>
    inTurn(async () => {
      const loaded = await store.load(kept.map(marks.markAsMaybeSent))
      const sending = new Set(kept.filter(({ state }) => state === 'sending').map(({ id }) => id))
      show(loaded.map((item) => (sending.has(item.id) ? { ...item, state: 'sending' } : item)))
    })

  async function fail(item: StoredItem, error: unknown): Promise<void> {
    const { sentence, code } = isCallError(error) ? error : { sentence: unknownErrorMessage, code: undefined }
    const unsealed: StoredItem = { ...item, sealed: undefined, state: 'failed', error: sentence, code }
    // PEER_UNAVAILABLE proves that the server has not stored the message.
    await save(marks.hasNotLeft(item) || isCallError(error, 'PEER_UNAVAILABLE') ? marks.remove(unsealed) : unsealed)
    deps.onFailed(item.id, error)
  }

  async function deliver(item: StoredItem, keep: (item: StoredItem) => void): Promise<Message> {
    const isOld = clock.now() - item.createdAt > retention()
    if (isOld && marks.hasNotLeft(item)) throw new CallError('TOO_OLD')
    if (isOld || marks.mayHaveExpired(item)) {
      const stored = await sender.findStored(item)
      if (stored) return stored
      throw new CallError('ARRIVAL_UNKNOWN')
    }
    return sender.send(item, async (ready) => {
      if (ready.sealed !== item.sealed || !marks.hasRecordedLeft(item.id)) {
        const latest = marks.markSending(ready)
        keep(latest)
        await saveToLeave(latest)
      }
      // The device may have slept since the check above, even while it stored the mark.
      if (marks.mayHaveExpired(ready)) throw new CallError('ARRIVAL_UNKNOWN')
      marks.recordLeft(item.id)
    })
  }

  /** An item that has not left loses its mark: otherwise another tab would have to assume that it may have. */
  async function keepWaiting(item: StoredItem): Promise<void> {
    if (item.mayLeave && marks.hasNotLeft(item)) await save(marks.remove(item))
    else show(replaced(item))
  }

  async function sendOne(item: StoredItem, away: Set<string>): Promise<void> {
    let latest: StoredItem = { ...item, state: 'sending', error: undefined, code: undefined, until: undefined }
    show(replaced(latest))
    try {
      const message = await deliver(latest, (sealed) => (latest = sealed))
      if (!stopped) await deps.onStored(message).catch(rethrowRetryable)
      arrived.delete(item.id)
      await remove(item.id)
      retryDelayMs = minRetryDelayMs
    } catch (error) {
      if (arrived.delete(item.id)) return remove(item.id)
      if (!find(item.id)) return
      if (isCallError(error, 'CONTACT_AWAY')) return holdBack(latest, error, away)
      if (!staysWaiting(error)) return fail(latest, error)
      await keepWaiting({ ...latest, state: 'waiting', ...reasonToWait(error, clock.now()) })
      throw error
    }
  }

  /** Lets the messages of one conversation wait until the contact is back; the others go on. */
  async function holdBack(item: StoredItem, { sentence, code }: CallError, away: Set<string>): Promise<void> {
    away.add(item.connectionId)
    await keepWaiting({ ...item, state: 'waiting', error: sentence, code })
  }

  async function sendAll(): Promise<void> {
    await reload()
    /** Connections whose contact is away. */
    const away = new Set<string>()
    for (;;) {
      const next = kept.find(({ state, connectionId }) => state === 'waiting' && !away.has(connectionId))
      if (!next || stopped) break
      await sendOne(next, away)
    }
    stopAwayTimer()
    if (away.size > 0 && !stopped) stopAwayTimer = clock.after(awayDelayMs, () => void run())
  }

  function tryLater(error: unknown): void {
    if (stopped || isCallError(error, 'NOT_SIGNED_IN')) return
    const asked = isCallError(error) ? (error.retryAfter ?? 0) * 1000 : 0
    stopTimer?.()
    stopTimer = clock.after(Math.max(asked, retryDelayMs), () => void run())
    retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs)
  }

  async function run(): Promise<void> {
    runAgain = running !== undefined
    if (running || stopped) return
    stopTimer?.()
    stopTimer = undefined
    running = tabs.runExclusive(`privity-outbox/${userId}`, sendAll).catch(tryLater)
    await running
    running = undefined
    if (runAgain) await run()
  }

  return {
    reload,
    flush() {
      retryDelayMs = minRetryDelayMs
      void run()
    },
    async followTab(removed) {
      if (removed !== undefined) store.markRemovedElsewhere(removed)
      await reload()
      // Tabs that notify each other of what fails must not try again without a pause.
      while (running) await running
      // If a retry is scheduled already, it sends this item too.
      if (!stopTimer && kept.some(({ state }) => state === 'waiting')) void run()
    },
    async add(connectionId, body, { file, id, otherChanges } = {}) {
      // A message added before the stop is stored all the same: the next session sends it.
      if (stopped) throw new CallError('NOT_SIGNED_IN')
      const createdAt = nextTime()
      const made = { id: id ?? newId(createdAt), connectionId, createdAt, body, state: 'waiting', file } as const
      const item = marks.markSendable(made)
      await add(item, otherChanges)
      void run()
      return shown(item)
    },
    async retry(id) {
      const item = find(id)
      if (item?.state !== 'failed') return
      if (marks.mayHaveExpired(item)) return fail(item, new CallError('ARRIVAL_UNKNOWN'))
      const retried = { ...item, state: 'waiting', error: undefined, code: undefined, createdAt: nextTime() } as const
      await save(marks.markSendable(retried))
      void run()
    },
    discard: async (id) => {
      if (!stopped) await remove(id)
    },
    async arrived(id) {
      const item = find(id)
      if (item?.state === 'sending') arrived.add(id)
      else if (item) await remove(id)
    },
    async removeConnection(connectionId) {
      for (const { id } of kept.filter((each) => each.connectionId === connectionId)) await remove(id)
    },
    async stop() {
      items.set([])
      stopped = true
      store.stop()
      stopTimer?.()
      stopAwayTimer()
      await queue
    },
  }
}
