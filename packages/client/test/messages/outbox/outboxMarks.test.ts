import type { Envelope } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import type { StoredItem } from '../../../src/messages/outbox/outboxStore.ts'
import { createOutboxMarks } from '../../../src/messages/outbox/outboxMarks.ts'

const minute = 60_000
const hour = 60 * minute
const retention = 24 * hour

const written: StoredItem = {
  id: '0198c0de-0000-7000-8000-000000000001',
  connectionId: '0198c0de-0000-7000-8000-000000000002',
  createdAt: 0,
  body: { kind: 'text', text: 'Once' },
  state: 'waiting',
}

function createMarks() {
  const time = { now: 0, correction: 0 }
  const clock = { now: () => time.now, correction: () => time.correction }
  return { time, marks: createOutboxMarks({ clock, retention: () => retention, tabId: 'a', isConnected: () => true }) }
}

test('a message that left may have expired from exactly a minute before the server destroys it', () => {
  const { time, marks } = createMarks()
  const left = marks.markSending(written)
  time.now = retention - minute - 1
  expect(marks.mayHaveExpired(left)).toBe(false)
  time.now = retention - minute
  expect(marks.mayHaveExpired(left)).toBe(true)
})

test('a message that left under a clock put back since may have expired earlier by as much', () => {
  const { time, marks } = createMarks()
  Object.assign(time, { now: 3 * hour, correction: 3 * hour })
  const left = marks.markSending(written)
  time.correction = 0
  time.now = retention - minute - 1
  expect(marks.mayHaveExpired(left)).toBe(false)
  time.now = retention - minute
  expect(marks.mayHaveExpired(left)).toBe(true)
  expect(marks.markSending(left).repeatableUntil).toEqual(left.repeatableUntil)
})

test('a clock that is ahead later does not let a message be resent for longer', () => {
  const { time, marks } = createMarks()
  const left = marks.markSending(written)
  Object.assign(time, { now: 4 * hour, correction: 3 * hour })
  expect(marks.markSending(left).repeatableUntil).toEqual(left.repeatableUntil)
  time.now = retention - minute
  expect(marks.mayHaveExpired(left)).toBe(true)
})

test('a message that is brought back to an emptied store may have left from another tab', () => {
  const { time, marks } = createMarks()
  const added = marks.markSendable(written)
  expect(marks.hasNotLeft(added)).toBe(true)
  const broughtBack = marks.markAsMaybeSent(added)
  expect(marks.hasNotLeft(broughtBack)).toBe(false)
  time.now = 25 * hour
  expect(marks.mayHaveExpired(broughtBack)).toBe(true)
})

const sealedFor = (item: StoredItem, lifetime: number, readableUntil = Infinity): StoredItem => ({
  ...item,
  sealed: { content: '', envelope: {} as Envelope, sentAt: 0, signedAt: 0, correction: 0, lifetime, readableUntil },
})

test('a message whose keys are destroyed before its lifetime is over may have expired then', () => {
  const { time, marks } = createMarks()
  const left = marks.markSending(sealedFor(written, retention, 2 * hour))
  time.now = 2 * hour - minute - 1
  expect(marks.mayHaveExpired(left)).toBe(false)
  time.now = 2 * hour - minute
  expect(marks.mayHaveExpired(left)).toBe(true)
})

test('a message that is sealed anew with a shorter lifetime may have expired earlier', () => {
  const { time, marks } = createMarks()
  const long = marks.markSending(sealedFor(written, retention))
  time.now = minute
  const short = marks.markSending(sealedFor(long, hour))
  expect(short.repeatableUntil?.server).toBe(hour)
  time.now = 2 * minute
  expect(marks.markSending(sealedFor(short, retention)).repeatableUntil?.server).toBe(hour)
})

test('a device that refuses to store sooner ending keys of a message keeps it from leaving', () => {
  const { marks } = createMarks()
  const added = marks.markSendable(written)
  const leaving = (readableUntil?: number) => marks.markSending(sealedFor(added, retention, readableUntil))
  expect(marks.canLeave(leaving(), added)).toBe(true)
  expect(marks.canLeave(leaving(2 * hour), added)).toBe(false)
  expect(marks.canLeave(leaving(2 * hour), leaving(2 * hour))).toBe(true)
  expect(marks.canLeave(leaving(2 * hour), leaving())).toBe(false)
  expect(marks.canLeave(leaving(), written)).toBe(false)
  expect(marks.canLeave(leaving(), undefined)).toBe(false)
})
