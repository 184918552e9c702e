import { describe, expect, it } from 'vitest'
import type { DecryptedMessage } from '@privity/client'
import {
  conversationEntries,
  type Entry,
  placeEntries,
  type Unread,
} from '../../../src/features/messages/conversation/timeline.ts'
import { findUnread } from '../../../src/features/messages/conversation/useUnreadAtOpening.ts'

const noon = new Date(2026, 2, 12, 12).getTime()
const minute = 60_000
let keys = 0
const entry = (at: number, mine = false, alone = false): Entry => ({
  key: `e${(keys += 1)}`,
  mine,
  alone,
  createdAt: noon + at * minute,
})
const shape = (entries: Entry[]) =>
  placeEntries(entries).map((row) =>
    row.kind !== 'entry' ? row.kind : [row.turn && 'turn', row.tail && 'tail'].filter(Boolean).join(' ') || 'middle',
  )

describe('grouping', () => {
  it('puts messages of one sender within five minutes together; the last carries the meta line', () => {
    expect(shape([entry(0), entry(1), entry(2)])).toEqual(['day', 'middle', 'middle', 'tail'])
  })

  it('begins anew with the other sender', () => {
    expect(shape([entry(0), entry(1, true), entry(2, true)])).toEqual(['day', 'tail', 'turn', 'tail'])
  })

  it('begins anew where a message is missing, which has a line of its own', () => {
    const entries = [entry(0), { ...entry(1), isMissingBefore: true as const }, entry(2)]
    expect(shape(entries)).toEqual(['day', 'tail', 'missing', 'turn', 'tail'])
  })

  it('begins anew after five minutes', () => {
    expect(shape([entry(0), entry(5)])).toEqual(['day', 'tail', 'turn tail'])
    expect(shape([entry(0), entry(4.9)])).toEqual(['day', 'middle', 'tail'])
  })

  it('leaves files and failed messages alone', () => {
    expect(shape([entry(0), entry(1, false, true), entry(2)])).toEqual(['day', 'tail', 'turn tail', 'turn tail'])
  })

  it('puts a rule before each day and never groups across it', () => {
    const late = entry(11 * 60 + 59)
    const early = entry(12 * 60 + 1)
    expect(shape([late, early])).toEqual(['day', 'tail', 'day', 'tail'])
  })

  it('of nothing is nothing', () => {
    expect(placeEntries([])).toEqual([])
  })
})

describe('the line where unread begins', () => {
  const message = (seq: number, mine = false): DecryptedMessage => ({
    id: `m${seq}`,
    connectionId: 'c',
    seq,
    senderId: mine ? 'me' : 'other',
    mine,
    createdAt: noon + seq,
    expiresAt: noon + 1_000 * minute,
    body: { kind: 'text', text: String(seq) },
  })
  const kinds = (messages: DecryptedMessage[], unread: Unread) =>
    placeEntries(conversationEntries(messages, [], new Set(), unread)).map((row) =>
      row.kind === 'entry' ? row.key : row.kind,
    )

  it('stands once, before the first unread message of the contact', () => {
    const messages = [message(1), message(2, true), message(3), message(4)]
    expect(kinds(messages, { after: 1, upTo: 4 })).toEqual(['day', 'm1', 'm2', 'unread', 'm3', 'm4'])
  })

  it('ends the group before it', () => {
    const placed = placeEntries(conversationEntries([message(1), message(2)], [], new Set(), { after: 1, upTo: 2 }))
    expect(placed[1]).toMatchObject({ key: 'm1', tail: true })
    expect(placed[3]).toMatchObject({ key: 'm2', turn: true })
  })

  it('does not stand where everything was read, nor before what arrived later', () => {
    expect(kinds([message(1), message(2)], { after: 2, upTo: 2 })).toEqual(['day', 'm1', 'm2'])
    expect(kinds([message(1), message(2)], { after: 1, upTo: 1 })).toEqual(['day', 'm1', 'm2'])
  })

  it('goes on to the next unread message when the first one has expired', () => {
    expect(kinds([message(1), message(3)], { after: 1, upTo: 3 })).toEqual(['day', 'm1', 'unread', 'm3'])
  })
})

describe('what was unread at opening', () => {
  const history = (seqs: number[], isFetching = false) => ({
    data: { messages: seqs.map((seq) => ({ seq }) as DecryptedMessage), older: false },
    isFetching,
  })
  const progress = { data: [{ connectionId: 'c', userId: 'me', deliveredSeq: 3, readSeq: 1 }], isFetching: false }
  const loaded = { history: history([1, 2, 3]), progress, isPending: false, otherId: 'other' }

  it('begins after the own progress and ends with the newest message', () => {
    expect(findUnread(loaded)).toEqual({ after: 1, upTo: 3 })
  })

  it('is not known while an answer is still to come', () => {
    expect(findUnread({ ...loaded, history: history([1], true) })).toBeUndefined()
    expect(findUnread({ ...loaded, progress: { ...progress, isFetching: true } })).toBeUndefined()
    expect(findUnread({ ...loaded, progress: { data: undefined, isFetching: false } })).toBeUndefined()
  })

  it('is not known while new messages wait to be loaded', () => {
    expect(findUnread({ ...loaded, isPending: true })).toBeUndefined()
  })
})
