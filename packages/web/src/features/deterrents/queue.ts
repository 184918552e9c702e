import type { ReportedEvent } from '@privity/contract/securityEvents'
import { limits } from '@privity/contract/limits'
import { isCallError } from '../../app/callError.ts'

/** An event with an id that lets the server store it only once, and the time it occurred. */
export type WaitingEvent = ReportedEvent & { id: string; occurredAt: number }

export interface EventQueue {
  add(event: WaitingEvent): void
  /** Sends waiting events now, because the connection is back. */
  flush(): void
  /** Deletes all waiting events. */
  clear(): void
  /** Stops sending; waiting events stay stored for the next start. */
  stop(): void
}

export interface QueueDeps {
  userId: string
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  send: (events: readonly WaitingEvent[]) => Promise<unknown>
  /** Runs the work in one tab at a time, under a lock with this name. */
  alone: (name: string, work: () => Promise<void>) => Promise<void>
  now: () => number
}

const batchDelayMs = 1_000
const minPauseMs = 2_000
const maxPauseMs = 60_000
const maxEvents = 100
const maxAgeMs = 7 * 24 * 60 * 60_000

/**
 * Queue of events to send to the server. Each event is stored at once under its own key, so that it survives a reload
 * and tabs that write at the same time do not overwrite each other.
 */
export function createEventQueue({ userId, storage, send, alone, now }: QueueDeps): EventQueue {
  const prefix = `privity.securityEvent.${userId}.`
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = minPauseMs
  let running = false
  let again = false
  let stopped = false

  const keys = () =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter(
      (key) => key?.startsWith(prefix) === true,
    )

  const drop = (events: readonly { id: string }[]) => {
    for (const { id } of events) storage.removeItem(prefix + id)
  }

  /** Waiting events, oldest first. Deletes unreadable and outdated ones. */
  function waiting(): WaitingEvent[] {
    const found: WaitingEvent[] = []
    for (const key of keys() as string[]) {
      try {
        const event = JSON.parse(storage.getItem(key) ?? '') as WaitingEvent
        if (event.occurredAt > now() - maxAgeMs) found.push(event)
        else storage.removeItem(key)
      } catch {
        storage.removeItem(key)
      }
    }
    return found.sort((one, other) => one.occurredAt - other.occurredAt)
  }

  async function sendAll(): Promise<void> {
    let size: number = limits.securityEventsBatch
    for (;;) {
      const batch = waiting().slice(0, size)
      if (batch.length === 0 || stopped) return
      try {
        await send(batch)
      } catch (error) {
        const refused = isCallError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
        if (!refused || error.code === 'NOT_SIGNED_IN') throw error
        // A refused event must not block the rest: send events one by one and discard the refused ones.
        if (batch.length > 1) {
          size = 1
          continue
        }
      }
      drop(batch)
      pause = minPauseMs
    }
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }

  async function run(): Promise<void> {
    again = running
    if (running || stopped) return
    clearTimeout(timer)
    timer = undefined
    running = true
    try {
      await alone(`privity-security-events/${userId}`, sendAll)
    } catch (error) {
      if (isCallError(error) && error.code === 'NOT_SIGNED_IN') stopped = true
      const asked = isCallError(error) ? (error.retryAfter ?? 0) * 1000 : 0
      if (!stopped) later(Math.max(asked, pause))
      pause = Math.min(pause * 2, maxPauseMs)
    } finally {
      running = false
    }
    if (again && timer === undefined) await run()
  }

  if (keys().length > 0) later(batchDelayMs)
  return {
    add(event) {
      if (stopped) return
      drop(waiting().slice(0, Math.max(0, keys().length - maxEvents + 1)))
      try {
        storage.setItem(prefix + event.id, JSON.stringify(event))
      } catch {
        // The browser's storage is full: try to send once without it.
        return void send([event]).catch(() => {})
      }
      if (timer === undefined) later(batchDelayMs)
    },
    flush() {
      pause = minPauseMs
      void run()
    },
    clear: () => drop(waiting()),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
