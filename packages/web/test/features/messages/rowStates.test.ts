import type { DecryptedMessage, OutboxItem } from '@privity/client'
import { expect, it } from 'vitest'
import {
  placeEntries,
  conversationEntries,
  shownDelivery,
} from '../../../src/features/messages/conversation/timeline.ts'

const message = (seq: number, mine = true): DecryptedMessage => ({
  id: `m${seq}`,
  connectionId: 'c',
  seq,
  senderId: mine ? 'me' : 'other',
  mine,
  createdAt: seq,
  expiresAt: 1_000_000,
  body: { kind: 'text', text: String(seq) },
})

const waiting: OutboxItem = {
  id: 'w',
  connectionId: 'c',
  createdAt: 10,
  body: { kind: 'text', text: 'w' },
  state: 'sending',
}

/** The state that each entry shows, oldest first; the contact has received up to 3 and read up to 2. */
function shown(
  messages: readonly DecryptedMessage[],
  outbox: readonly OutboxItem[] = [],
  confirmed: ReadonlySet<string> = new Set(),
) {
  const heard = { connectionId: 'c', userId: 'other', deliveredSeq: 3, readSeq: 2 }
  const placed = placeEntries(conversationEntries(messages, outbox, new Set()))
  return placed.flatMap((row, at) => (row.kind === 'day' ? [] : [shownDelivery(placed, at, heard, confirmed)]))
}

it('a group of one state shows it once, below the last', () => {
  expect(shown([message(1), message(2)])).toEqual([undefined, 'read'])
})

it('where the state changes within a group, the last message of each state shows its own', () => {
  expect(shown([1, 2, 3, 4].map((seq) => message(seq)))).toEqual([undefined, 'read', 'delivered', 'sent'])
})

it('what is read does not look as if it were still being sent', () => {
  expect(shown([message(1), message(2)], [waiting])).toEqual([undefined, 'read', undefined])
})

it('messages of the other party show none', () => {
  expect(shown([message(1), message(2, false), message(3)])).toEqual(['read', undefined, 'delivered'])
})

it('what the contact’s browser has confirmed looks different from what the server says', () => {
  const messages = [1, 2, 3, 4].map((seq) => message(seq))
  const states = (...ids: string[]) => shown(messages, [], new Set(ids)).filter(Boolean)
  expect(states()).toEqual(['read', 'delivered', 'sent'])
  expect(states('m1', 'm2', 'm3')).toEqual(['readConfirmed', 'deliveredConfirmed', 'sent'])
  expect(states('m1')).toEqual(['readConfirmed', 'read', 'delivered', 'sent'])
})
