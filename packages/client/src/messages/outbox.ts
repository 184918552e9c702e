import type { Message } from '@privity/contract/messages'
import { type MessageBody, newId } from '@privity/e2ee'
import { CallError, isCallError, isPassing } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { DeviceChange, KeptItem, OutboxKeeping } from './outboxStore.ts'
import { createOutboxMarks } from './outboxMarks.ts'
import type { Posting } from './encrypt.ts'
import type { WritableStore } from '../transport/store.ts'
import type { Tabs } from '../device/tabs.ts'
import type { OutboxItem } from '../types.ts'

/**
 * Messages on their way: kept sealed on this device before they leave, sent once each and in order,
 * by one tab at a time, as soon as the server can be reached.
 */
export interface Outbox {
  /** Stores the changes of `others` in the same transaction. */
  add(
    connectionId: string,
    body: MessageBody,
    options?: { file?: KeptItem['file']; id?: string; others?: Others | undefined },
  ): Promise<OutboxItem>
  retry(id: string): Promise<void>
  /** Takes an item out; one that is just being sent may still arrive. */
  discard(id: string): Promise<void>
  /** Sends what waits; done by itself after `add` and `retry`. */
  flush(): void
  /** The socket tells that the server has this one: the answer to its sending was lost. */
  arrived(id: string): Promise<void>
  reload(): Promise<void>
  /** Reads again what another tab has changed, and sends it in its place: that tab may be closed. */
  followTab(removed?: string): Promise<void>
  dropConnection(connectionId: string): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

type Others = () => Promise<DeviceChange>

const firstPause = 1_000
const longestPause = 30_000
const unknownFailure = 'The message could not be sent.'

export interface OutboxDeps {
  userId: string
  clock: Clock
  /** How long an item may wait, in milliseconds: as long as a message lives. */
  retention: () => number
  keeping: OutboxKeeping
  posting: Posting
  /** Whether what is added now is likely to leave at once. */
  isConnected: () => boolean
  tabs: Tabs
  items: WritableStore<readonly OutboxItem[]>
  /** Called with each message that the server has, before it leaves the outbox. */
  stored(message: Message): Promise<void>
  failed(id: string, error: unknown): void
}

/** A full store has room again as messages expire: nothing is wrong with the message, and nobody need press anything. */
const isWaitedFor = (error: unknown) =>
  isPassing(error) || isCallError(error, 'NOT_SIGNED_IN', 'STORAGE_FULL', 'STORAGE_FAILED')

/** What the server has is sent, even where it cannot be shown; what passes is tried again. */
function passingOnly(error: unknown): void {
  if (isPassing(error)) throw error
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { userId, clock, keeping, posting, tabs, items, retention } = deps
  let kept: KeptItem[] = []
  let running = false
  let again = false
  let stopped = false
  let pause = firstPause
  let stopTimer: (() => void) | undefined
  let lastNow = 0
  /** Told of by the socket while the answer was still awaited. */
  const arrived = new Set<string>()

  const marks = createOutboxMarks({ clock, retention, tabId: tabs.id, isConnected: deps.isConnected })

  function shown(item: KeptItem): OutboxItem {
    const { id, connectionId, createdAt, body, state, error, code } = item
    const isFinal = state === 'failed' && marks.mayBeForgotten(item)
    return { id, connectionId, createdAt, body, state, error, code, ...(isFinal && { isFinal }) }
  }

  function show(next: KeptItem[]): void {
    if (stopped) return
    kept = next.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    items.set(kept.map(shown))
  }

  const find = (id: string) => kept.find((each) => each.id === id)
  const replaced = (item: KeptItem) => kept.map((each) => (each.id === item.id ? item : each))

  let queue: Promise<unknown> = Promise.resolve()
  /** What is shown follows what is kept, one change after the other. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = queue.then(change)
    queue = turn.catch(() => {})
    return turn
  }

  /** Their order is that of the times: after all that is here, also what a tab has written whose clock is ahead. */
  function nextTime(): number {
    const latest = Math.max(lastNow, ...kept.map(({ createdAt }) => createdAt))
    lastNow = Math.max(clock.now(), latest + 1)
    return lastNow
  }

  const add = (item: KeptItem, others: Others | undefined) =>
    inTurn(async () => {
      if (stopped) throw new CallError('NOT_SIGNED_IN')
      await keeping.add(item, await others?.())
      show([...kept, item])
    })

  /** Keeps a change of an item, unless it was discarded meanwhile or the outbox has stopped. */
  const save = (item: KeptItem) =>
    inTurn(async () => {
      if (stopped || !find(item.id)) return true
      const isWritten = await keeping.save(item.id, item)
      show(replaced(item))
      return isWritten
    })

  /** Nothing leaves before the device has what tells the next tab that it may have left. */
  async function saveToLeave(item: KeptItem): Promise<void> {
    if (!(await save(item)) && !marks.allowLeaving(await keeping.find(item.id))) throw new CallError('STORAGE_FAILED')
    if (stopped || !find(item.id)) throw new CallError('NOT_SIGNED_IN')
    marks.letLeave(item.id)
  }

  const remove = (id: string) =>
    inTurn(async () => {
      await keeping.save(id, undefined)
      show(kept.filter((each) => each.id !== id))
    })

  const reload = () =>
    inTurn(async () => {
      const loaded = await keeping.load(kept.map(marks.presume))
      const sending = new Set(kept.filter(({ state }) => state === 'sending').map(({ id }) => id))
      show(loaded.map((item) => (sending.has(item.id) ? { ...item, state: 'sending' } : item)))
    })

  async function fail(item: KeptItem, error: unknown): Promise<void> {
    const { sentence, code } = isCallError(error) ? error : { sentence: unknownFailure, code: undefined }
    const unsealed: KeptItem = { ...item, sealed: undefined, state: 'failed', error: sentence, code }
    // The server says so only of what it has not stored.
    await save(marks.hasNotLeft(item) || isCallError(error, 'PEER_UNAVAILABLE') ? marks.remove(unsealed) : unsealed)
    deps.failed(item.id, error)
  }

  async function post(item: KeptItem, keep: (item: KeptItem) => void): Promise<Message> {
    const isOld = clock.now() - item.createdAt > retention()
    if (isOld && marks.hasNotLeft(item)) throw new CallError('TOO_OLD')
    if (isOld || marks.mayBeForgotten(item)) {
      const stored = await posting.findStored(item)
      if (stored) return stored
      throw new CallError('ARRIVAL_UNKNOWN')
    }
    return posting.post(item, async (ready) => {
      if (ready.sealed === item.sealed && marks.hasLetLeave(item.id)) return
      const latest = marks.markLeaving(ready)
      keep(latest)
      await saveToLeave(latest)
    })
  }

  async function rest(item: KeptItem): Promise<void> {
    if (item.mayLeave && marks.hasNotLeft(item)) await save(marks.remove(item))
    else show(replaced(item))
  }

  async function sendOne(item: KeptItem): Promise<void> {
    let latest: KeptItem = { ...item, state: 'sending', error: undefined, code: undefined }
    show(replaced(latest))
    try {
      const message = await post(latest, (sealed) => (latest = sealed))
      if (!stopped) await deps.stored(message).catch(passingOnly)
      arrived.delete(item.id)
      await remove(item.id)
      pause = firstPause
    } catch (error) {
      if (arrived.delete(item.id)) return remove(item.id)
      if (!find(item.id)) return
      if (!isWaitedFor(error)) return fail(latest, error)
      await rest({ ...latest, state: 'waiting' })
      throw error
    }
  }

  async function sendAll(): Promise<void> {
    await reload()
    for (;;) {
      const next = kept.find(({ state }) => state === 'waiting')
      if (!next || stopped) return
      await sendOne(next)
    }
  }

  function tryLater(error: unknown): void {
    if (stopped || isCallError(error, 'NOT_SIGNED_IN')) return
    const asked = isCallError(error) ? (error.retryAfter ?? 0) * 1000 : 0
    stopTimer?.()
    stopTimer = clock.after(Math.max(asked, pause), () => void run())
    pause = Math.min(pause * 2, longestPause)
  }

  async function run(): Promise<void> {
    again = running
    if (running || stopped) return
    running = true
    stopTimer?.()
    stopTimer = undefined
    try {
      await tabs.alone(`privity-outbox/${userId}`, sendAll)
    } catch (error) {
      tryLater(error)
    } finally {
      running = false
    }
    if (again) await run()
  }

  return {
    reload,
    flush() {
      pause = firstPause
      void run()
    },
    async followTab(removed) {
      if (removed !== undefined) keeping.removedElsewhere(removed)
      await reload()
      // Where the server just refused it, it is tried again by itself.
      if (!stopTimer && kept.some(({ state }) => state === 'waiting')) void run()
    },
    async add(connectionId, body, { file, id, others } = {}) {
      const createdAt = nextTime()
      const made = { id: id ?? newId(createdAt), connectionId, createdAt, body, state: 'waiting', file } as const
      const item = marks.expectLeaving(made)
      await add(item, others)
      void run()
      return shown(item)
    },
    async retry(id) {
      const item = find(id)
      if (item?.state !== 'failed') return
      if (marks.mayBeForgotten(item)) return fail(item, new CallError('ARRIVAL_UNKNOWN'))
      const again = { ...item, state: 'waiting', error: undefined, code: undefined, createdAt: nextTime() } as const
      await save(marks.expectLeaving(again))
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
    async dropConnection(connectionId) {
      for (const { id } of kept.filter((each) => each.connectionId === connectionId)) await remove(id)
    },
    async stop() {
      items.set([])
      stopped = true
      keeping.stop()
      stopTimer?.()
      await queue
    },
  }
}
