import type { Message } from '@privity/contract/messages'
import { expect, test, vi } from 'vitest'
import { createPageFetch } from '../../src/messages/fetchPage.ts'
import type { DecryptedMessage } from '../../src/types.ts'

const message = (seq: number) => ({ id: `message ${seq}`, seq }) as Message

/** The server returns each of `answers` once, and the last one again and again. `hasExpired` is asked by number. */
function createFetch(answers: Message[][], hasExpired = (_seq: number) => false) {
  const fetchMessages = vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? [])
  const fetchPage = createPageFetch({
    fetchMessages,
    deletedMessages: { find: () => undefined },
    decrypt: async (each) => (hasExpired(each.seq) ? undefined : (each as unknown as DecryptedMessage)),
    isUnderOwnId: () => false,
  })
  return { fetchMessages, fetchPage }
}

test('a page that the server fills with one message for ever is the last', async () => {
  const { fetchMessages, fetchPage } = createFetch([Array.from({ length: 50 }, () => message(7))])
  expect(await fetchPage('c', {})).toMatchObject({ messages: [message(7)], isLast: true })
  expect(fetchMessages).toHaveBeenCalledTimes(2)
})

test('a page in which a message has expired goes on with older ones', async () => {
  const pages = [51, 1].map((from) => Array.from({ length: 50 }, (_, i) => message(from + i)))
  const { fetchMessages, fetchPage } = createFetch(pages, (seq) => seq === 80)
  const { messages, isLast } = await fetchPage('c', {})
  expect([messages.length, isLast]).toEqual([99, true])
  expect(fetchMessages).toHaveBeenLastCalledWith('c', { before: 51, limit: undefined })
})

test('a page whose messages have all expired goes on with as many as a call can list', async () => {
  const pages = [52, 2].map((from) => Array.from({ length: 50 }, (_, i) => message(from + i)))
  const { fetchMessages, fetchPage } = createFetch(pages, (seq) => seq > 10)
  expect(await fetchPage('c', {})).toMatchObject({ first: 2, last: 10, isLast: true })
  expect(fetchMessages.mock.calls).toEqual([
    ['c', { before: undefined, limit: undefined }],
    ['c', { before: 52, limit: 200 }],
  ])
})
