import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPassingStorage } from '../../../src/features/deterrents/storage.ts'
import { createEventQueue, type WaitingEvent } from '../../../src/features/deterrents/queue.ts'

const start = Date.UTC(2026, 0, 15, 12)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

let ids = 0
function event(over: Partial<WaitingEvent> = {}): WaitingEvent {
  ids += 1
  return {
    id: `01900000-0000-7000-8000-${String(ids).padStart(12, '0')}`,
    occurredAt: Date.now(),
    eventType: 'print_attempt',
    severity: 'medium',
    eventDescription: 'The page was about to be printed',
    pageUrl: '/',
    sessionId: 'unknown',
    metadata: {},
    ...over,
  }
}

/** An error with the shape of a CallError, which is how it is recognized. */
const callError = (code: string, status: number, retryAfter?: number) =>
  Object.assign(new Error(code), { code, status, retryAfter, sentence: code })
const offline = () => callError('OFFLINE', 0)

/** A browser whose tabs share storage and lock, with a server that deduplicates by id. */
function browser(storage = createPassingStorage()) {
  const calls: string[][] = []
  const stored = new Map<string, number>()
  let answer: (events: readonly WaitingEvent[]) => Error | undefined = () => undefined
  let last: Promise<unknown> = Promise.resolve()
  const open = (userId = 'amara') =>
    createEventQueue({
      userId,
      storage,
      now: Date.now,
      alone: (_name, work) => {
        const turn = last.then(work)
        last = turn.catch(() => {})
        return turn
      },
      async send(events) {
        calls.push(events.map(({ id }) => id))
        const error = answer(events)
        if (error) throw error
        for (const { id } of events) stored.set(id, (stored.get(id) ?? 0) + 1)
      },
    })
  return { open, calls, stored, storage, answerWith: (next: typeof answer) => void (answer = next) }
}

const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('sending', () => {
  test('gathers for a second, sends once, oldest first, and keeps nothing', async () => {
    const { open, calls, storage } = browser()
    const queue = open()
    const events = [
      event({ occurredAt: start + 2 }),
      event({ occurredAt: start + 1 }),
      event({ occurredAt: start + 3 }),
    ]
    for (const each of events) queue.add(each)
    await passed(999)
    expect(calls).toEqual([])
    await passed(1)
    expect(calls).toEqual([[events[1]?.id, events[0]?.id, events[2]?.id]])
    await passed(10 * 60_000)
    expect([calls.length, storage.length]).toEqual([1, 0])
  })

  test('at most 20 at a time', async () => {
    const { open, calls } = browser()
    const queue = open()
    for (let at = 0; at < 45; at++) queue.add(event())
    await passed(1_000)
    expect(calls.map((ids) => ids.length)).toEqual([20, 20, 5])
  })
})

describe('trouble', () => {
  test('without a connection it waits longer and longer, and goes at once when that is back', async () => {
    const { open, calls, stored, answerWith } = browser()
    answerWith(offline)
    const queue = open()
    queue.add(event())
    await passed(1_000)
    const times = [calls.length]
    for (const pause of [2_000, 4_000, 8_000]) {
      await passed(pause - 1)
      times.push(calls.length)
      await passed(1)
      times.push(calls.length)
    }
    expect(times).toEqual([1, 1, 2, 2, 3, 3, 4])
    answerWith(() => undefined)
    queue.flush()
    await passed(0)
    expect([...stored.values()]).toEqual([1])
  })

  test('what was added while offline survives a reload and goes out once', async () => {
    const { open, calls, stored, storage, answerWith } = browser()
    answerWith(offline)
    const before = open()
    for (let at = 0; at < 3; at++) before.add(event())
    await passed(1_000)
    before.stop()
    answerWith(() => undefined)
    open()
    await passed(1_000)
    expect([...stored.values()]).toEqual([1, 1, 1])
    expect([calls.at(-1)?.length, storage.length]).toEqual([3, 0])
  })

  test('a lost answer is asked for again with the same ids', async () => {
    const { open, calls, answerWith } = browser()
    let lost = true
    answerWith(() => (lost ? callError('UNAVAILABLE', 503) : undefined))
    const queue = open()
    queue.add(event())
    await passed(1_000)
    lost = false
    await passed(2_000)
    expect(calls).toHaveLength(2)
    expect(calls[0]).toEqual(calls[1])
  })

  test('too many: it waits as long as the server asks', async () => {
    const { open, calls, answerWith } = browser()
    answerWith(() => callError('RATE_LIMITED', 429, 600))
    open().add(event())
    await passed(1_000)
    await passed(599_999)
    expect(calls).toHaveLength(1)
    await passed(1)
    expect(calls).toHaveLength(2)
  })

  test('an event that the server refuses does not keep the others back', async () => {
    const { open, stored, storage, answerWith } = browser()
    const bad = event({ pageUrl: 'not a path' })
    answerWith((events) =>
      events.includes(bad) || events.some(({ id }) => id === bad.id) ? callError('INVALID_INPUT', 400) : undefined,
    )
    const queue = open()
    const good = [event(), event()]
    for (const each of [good[0], bad, good[1]]) queue.add(each as WaitingEvent)
    await passed(1_000)
    expect([...stored.keys()].sort()).toEqual(good.map(({ id }) => id))
    expect(storage.length).toBe(0)
  })

  test('a session that has ended stops it, and the events wait for the next', async () => {
    const { open, calls, stored, storage, answerWith } = browser()
    answerWith(() => callError('NOT_SIGNED_IN', 401))
    const queue = open()
    queue.add(event())
    await passed(1_000)
    queue.flush()
    await passed(60 * 60_000)
    expect([calls.length, storage.length]).toEqual([1, 1])
    answerWith(() => undefined)
    open()
    await passed(1_000)
    expect([...stored.values()]).toEqual([1])
  })
})

describe('what is kept', () => {
  test('two tabs add and send at the same moment: nothing is lost and nothing goes twice', async () => {
    const { open, stored, storage } = browser()
    const tabs = [open(), open()]
    for (let at = 0; at < 30; at++) tabs[at % 2]?.add(event())
    await passed(1_000)
    expect(stored.size).toBe(30)
    expect(new Set(stored.values())).toEqual(new Set([1]))
    expect(storage.length).toBe(0)
  })

  test('the events of another account are left alone', async () => {
    const { open, calls, storage, answerWith } = browser()
    answerWith(offline)
    const amaras = open('amara')
    amaras.add(event())
    await passed(1_000)
    amaras.stop()
    answerWith(() => undefined)
    open('helen')
    await passed(60_000)
    expect([calls.length, storage.length]).toEqual([1, 1])
  })

  test('a hundred at most, the newest', async () => {
    const { open, stored, answerWith } = browser()
    answerWith(offline)
    const queue = open()
    const events = Array.from({ length: 105 }, (_, at) => event({ occurredAt: start + at }))
    for (const each of events) queue.add(each)
    answerWith(() => undefined)
    await passed(1_000)
    expect([...stored.keys()]).toEqual(events.slice(5).map(({ id }) => id))
  })

  test('what is older than a week, and what cannot be read, is taken out', async () => {
    const { open, calls, storage } = browser()
    storage.setItem('privity.securityEvent.amara.x', '{')
    open().add(event({ occurredAt: start - 7 * 24 * 60 * 60_000 }))
    await passed(1_000)
    expect([calls.length, storage.length]).toEqual([0, 0])
  })

  test('cleared, nothing is kept and nothing is sent', async () => {
    const { open, calls, storage } = browser()
    const queue = open()
    queue.add(event())
    queue.clear()
    await passed(60_000)
    expect([calls.length, storage.length]).toEqual([0, 0])
  })

  test('a storage without room: the event is sent once all the same', async () => {
    const full = {
      ...createPassingStorage(),
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    const { open, stored } = browser(full)
    open().add(event())
    await passed(1_000)
    expect([...stored.values()]).toEqual([1])
  })
})
