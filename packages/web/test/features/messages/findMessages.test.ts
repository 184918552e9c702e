import type { DecryptedMessage } from '@privity/client'
import { expect, test } from 'vitest'
import { findMessages } from '../../../src/features/messages/find/findMessages.ts'

const message = (id: string, body: object) => ({ id, body }) as DecryptedMessage
const messages = [
  message('a', { kind: 'text', text: 'The contract is signed' }),
  message('b', { kind: 'file', name: 'Contract.pdf' }),
  message('c', { kind: 'unreadable', reason: { sentence: 'contract' } }),
  message('d', { kind: 'text', text: 'See you (maybe) at noon' }),
]

test('finds texts and file names, oldest first, ignoring case', () => {
  expect(findMessages(messages, ' CONTRACT ')).toEqual(['a', 'b'])
})

test('takes the words as they stand', () => {
  expect(findMessages(messages, '(maybe)')).toEqual(['d'])
  expect(findMessages(messages, 'see.you')).toEqual([])
})

test('finds nothing for blank words', () => {
  expect(findMessages(messages, '  ')).toEqual([])
})
