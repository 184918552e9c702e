import type { DecryptedMessage, OutboxItem } from '@privity/client'
import { expect, it } from 'vitest'
import { conversationEntries } from '../../../src/features/messages/conversation/timeline.ts'

const message = (id: string, kind: 'text' | 'file' = 'text'): DecryptedMessage => ({
  id,
  connectionId: 'c',
  seq: 1,
  senderId: 'me',
  mine: true,
  createdAt: 1,
  expiresAt: 2,
  body: kind === 'text' ? { kind, text: id } : { kind, name: id, type: '', size: 1, keyHash: '', bodyHash: '' },
})

const waiting = (id: string, state: OutboxItem['state'] = 'waiting'): OutboxItem => ({
  id,
  connectionId: 'c',
  createdAt: 3,
  body: { kind: 'text', text: id },
  state,
})

const keys = (...given: Parameters<typeof conversationEntries>) =>
  conversationEntries(...given).map((entry) => entry.key)

it('what waits comes after what is stored', () => {
  expect(keys([message('a')], [waiting('b'), waiting('c')], new Set())).toEqual(['a', 'b', 'c'])
})

it('a message that is stored while it still waits is shown once', () => {
  expect(keys([message('a')], [waiting('a'), waiting('b')], new Set())).toEqual(['a', 'b'])
})

it('a file message that its transfer row shows is not shown as a bubble too', () => {
  expect(keys([], [waiting('a'), waiting('b')], new Set(['a']))).toEqual(['b'])
})

it('files and failed messages stand alone', () => {
  const entries = conversationEntries(
    [message('a', 'file'), message('b')],
    [waiting('c', 'failed'), waiting('d')],
    new Set(),
  )
  expect(entries.map((entry) => entry.alone)).toEqual([true, false, true, false])
})
