import type { Message } from '@privity/contract/messages'
import { type MessageBody, newId } from '@privity/e2ee'
import { CallError, isCallError, isPassing } from './callError.ts'
import type { Clock } from './clock.ts'
import type { KeptItem, OutboxKeeping } from './outboxKeeping.ts'
import type { Posting } from './posting.ts'
import type { WritableStore } from './store.ts'
import type { Tabs } from './tabs.ts'
import type { OutboxItem } from './types.ts'

/**
 * Messages on their way: kept sealed on this device before they leave, sent once each and in order,
 * by one tab at a time, as soon as the server can be reached.
 */
export interface Outbox {
  add(connectionId: string, body: MessageBody, file?: KeptItem['file'], id?: string): Promise<OutboxItem>
  retry(id: string): Promise<void>
  /** Takes an item out; one that is just being sent may still arrive. */
  discard(id: string): Promise<void>
  /** Sends what waits; done by itself after `add` and `retry`. */
  flush(): void
  /** The socket tells that the server has this one: the answer to its sending was lost. */
  arrived(id: string): Promise<void>
  /** Reads again what another tab has changed. */
  reload(): Promise<void>
  dropConnection(connectionId: string): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

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
  tabs: Tabs
  items: WritableStore<readonly OutboxItem[]>
  /** Called with each message that the server has, before it leaves the outbox. */
  stored(message: Message): Promise<void>
  failed(id: string, error: unknown): void
}

/** What the server has is sent, even where it cannot be shown; what passes is tried again. */
function passingOnly(error: unknown): void {
  if (isPassing(error)) throw error
}

const shown = ({ id, connectionId, createdAt, body, state, error }: KeptItem): OutboxItem => ({
  id,
  connectionId,
  createdAt,
  body,
  state,
  error,
})

export function createOutbox(deps: OutboxDeps): Outbox {
  const { userId, clock, keeping, posting, tabs, items } = deps
  let kept: KeptItem[] = []
  let running = false
  let again = false
  let stopped = false
  let pause = firstPause
  let stopTimer: (() => void) | undefined
  let lastNow = 0
  /** Told of by the socket while the answer was still awaited. */
  const arrived = new Set<string>()
  /** What the device could not write down, as a full one cannot: undefined where it still has what is gone. */
  const unwritten = new Map<string, KeptItem | undefined>()

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
  const tell = () => tabs.tell({ type: 'outbox', userId })

  /** Their order is that of the times: after all that is here, also what a tab has written whose clock is ahead. */
  function nextTime(): number {
    const latest = Math.max(lastNow, ...kept.map(({ createdAt }) => createdAt))
    lastNow = Math.max(clock.now(), latest + 1)
    return lastNow
  }

  const add = (item: KeptItem) =>
    inTurn(async () => {
      if (stopped) throw new CallError('NOT_SIGNED_IN')
      await keeping.put(item)
      show([...kept, item])
      tell()
    })

  const write = (id: string, item: KeptItem | undefined) => (item ? keeping.put(item) : keeping.remove(id))

  /** What cannot be written down holds all the same while this tab is open; it is tried again. */
  async function writeOrRemember(id: string, item: KeptItem | undefined): Promise<void> {
    try {
      await write(id, item)
      unwritten.delete(id)
      tell()
    } catch {
      unwritten.set(id, item)
    }
  }

  /** Keeps a change of an item, unless it was discarded meanwhile or the outbox has stopped. */
  const save = (item: KeptItem) =>
    inTurn(async () => {
      if (stopped || !find(item.id)) return
      await writeOrRemember(item.id, item.state === 'sending' ? { ...item, state: 'waiting' } : item)
      show(replaced(item))
    })

  const remove = (id: string) =>
    inTurn(async () => {
      await writeOrRemember(id, undefined)
      show(kept.filter((each) => each.id !== id))
    })

  /** What another tab has sent or discarded meanwhile is not brought back. */
  async function loadAll(): Promise<KeptItem[]> {
    const loaded = await keeping.load()
    for (const id of unwritten.keys()) if (!loaded.some((each) => each.id === id)) unwritten.delete(id)
    const items = loaded.map((item) => (unwritten.has(item.id) ? unwritten.get(item.id) : item))
    for (const [id, item] of unwritten) await writeOrRemember(id, item)
    return items.filter((item) => item !== undefined)
  }

  const reload = () =>
    inTurn(async () => {
      const loaded = await loadAll()
      const sending = new Set(kept.filter(({ state }) => state === 'sending').map(({ id }) => id))
      show(
        loaded
          .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
          .map((item) => (sending.has(item.id) ? { ...item, state: 'sending' } : item)),
      )
    })

  async function fail(item: KeptItem, error: unknown): Promise<void> {
    const sentence = isCallError(error) ? error.sentence : unknownFailure
    await save({ ...item, sealed: undefined, state: 'failed', error: sentence })
    deps.failed(item.id, error)
  }

  async function sendOne(item: KeptItem): Promise<void> {
    if (clock.now() - item.createdAt > deps.retention()) return fail(item, new CallError('TOO_OLD'))
    let latest: KeptItem = { ...item, state: 'sending', error: undefined }
    show(replaced(latest))
    try {
      const message = await posting.post(latest, async (sealed) => {
        latest = sealed
        await save(sealed)
      })
      if (!stopped) await deps.stored(message).catch(passingOnly)
      arrived.delete(item.id)
      await remove(item.id)
      pause = firstPause
    } catch (error) {
      if (arrived.delete(item.id)) return remove(item.id)
      if (!isPassing(error) && !isCallError(error, 'NOT_SIGNED_IN')) return fail(latest, error)
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
    async add(connectionId, body, file, id) {
      const createdAt = nextTime()
      const item: KeptItem = { id: id ?? newId(createdAt), connectionId, createdAt, body, state: 'waiting', file }
      await add(item)
      void run()
      return shown(item)
    },
    async retry(id) {
      const item = find(id)
      if (item?.state !== 'failed') return
      await save({ ...item, state: 'waiting', error: undefined, createdAt: nextTime() })
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
      stopTimer?.()
      await queue
    },
  }
}
