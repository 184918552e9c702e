import type { Message } from '@privity/contract/messages'
import { type MessageBody, newId } from '@privity/e2ee'
import { CallError, isCallError, isPassing } from './callError.ts'
import type { Clock } from './clock.ts'
import type { DeviceChange, KeptItem, OutboxKeeping } from './outboxKeeping.ts'
import type { Posting } from './posting.ts'
import type { WritableStore } from './store.ts'
import type { Tabs } from './tabs.ts'
import type { OutboxItem } from './types.ts'

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
  followTab(): Promise<void>
  dropConnection(connectionId: string): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

type Others = () => Promise<DeviceChange>

const firstPause = 1_000
const longestPause = 30_000
const unknownFailure = 'The message could not be sent.'
/** Before the server may forget a message (ms): for a request that is on its way, and clocks that differ. */
const forgettingMargin = 60_000

export interface OutboxDeps {
  userId: string
  clock: Clock
  /** How long an item may wait, in milliseconds: as long as a message lives. */
  retention: () => number
  keeping: OutboxKeeping
  posting: Posting
  tabs: Tabs
  items: WritableStore<readonly OutboxItem[]>
  /** Called with each message that the server has, before it leaves the outbox. */
  stored(message: Message): Promise<void>
  failed(id: string, error: unknown): void
}

/** A full store has room again as messages expire: nothing is wrong with the message, and nobody need press anything. */
const isWaitedFor = (error: unknown) => isPassing(error) || isCallError(error, 'NOT_SIGNED_IN', 'STORAGE_FULL')

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

  /** It may have arrived so long ago that the server has forgotten it and would store it again. */
  const mayBeForgotten = ({ repeatableUntil }: KeptItem) =>
    repeatableUntil !== undefined && clock.now() >= repeatableUntil

  function shown(item: KeptItem): OutboxItem {
    const { id, connectionId, createdAt, body, state, error, code } = item
    const isFinal = state === 'failed' && mayBeForgotten(item)
    return { id, connectionId, createdAt, body, state, error, code, ...(isFinal && { isFinal }) }
  }

  function show(next: KeptItem[]): void {
    if (stopped) return
    kept = next
    items.set(next.map(shown))
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
      if (stopped || !find(item.id)) return
      await keeping.save(item.id, item)
      show(replaced(item))
    })

  const remove = (id: string) =>
    inTurn(async () => {
      await keeping.save(id, undefined)
      show(kept.filter((each) => each.id !== id))
    })

  const reload = () =>
    inTurn(async () => {
      const loaded = await keeping.load(kept)
      const sending = new Set(kept.filter(({ state }) => state === 'sending').map(({ id }) => id))
      show(
        loaded
          .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
          .map((item) => (sending.has(item.id) ? { ...item, state: 'sending' } : item)),
      )
    })

  async function fail(item: KeptItem, error: unknown): Promise<void> {
    const { sentence, code } = isCallError(error) ? error : { sentence: unknownFailure, code: undefined }
    // The server says so only of what it has not stored.
    const repeatableUntil = isCallError(error, 'PEER_UNAVAILABLE') ? undefined : item.repeatableUntil
    await save({ ...item, sealed: undefined, repeatableUntil, state: 'failed', error: sentence, code })
    deps.failed(item.id, error)
  }

  async function post(item: KeptItem, keep: (item: KeptItem) => void): Promise<Message> {
    if (mayBeForgotten(item)) throw new CallError('ARRIVAL_UNKNOWN')
    if (clock.now() - item.createdAt <= retention()) {
      return posting.post(item, async (sealed) => {
        const repeatableUntil = item.repeatableUntil ?? clock.now() + retention() - forgettingMargin
        const latest = { ...sealed, repeatableUntil }
        keep(latest)
        await save(latest)
      })
    }
    if (item.repeatableUntil === undefined) throw new CallError('TOO_OLD')
    const stored = await posting.findStored(item)
    if (stored) return stored
    throw new CallError('ARRIVAL_UNKNOWN')
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
      if (!isWaitedFor(error)) return fail(latest, error)
      show(replaced({ ...latest, state: 'waiting' }))
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
    async followTab() {
      await reload()
      // Where the server just refused it, it is tried again by itself.
      if (!stopTimer && kept.some(({ state }) => state === 'waiting')) void run()
    },
    async add(connectionId, body, { file, id, others } = {}) {
      const createdAt = nextTime()
      const item: KeptItem = { id: id ?? newId(createdAt), connectionId, createdAt, body, state: 'waiting', file }
      await add(item, others)
      void run()
      return shown(item)
    },
    async retry(id) {
      const item = find(id)
      if (item?.state !== 'failed') return
      if (mayBeForgotten(item)) return fail(item, new CallError('ARRIVAL_UNKNOWN'))
      await save({ ...item, state: 'waiting', error: undefined, code: undefined, createdAt: nextTime() })
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
