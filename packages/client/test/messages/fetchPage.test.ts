import type { Message } from '@privity/contract/messages'
import { expect, test, vi } from 'vitest'
import { createPageFetch } from '../../src/messages/fetchPage.ts'
import type { DecryptedMessage } from '../../src/types.ts'

const message = (seq: number) => ({ id: `message ${seq}`, seq }) as Message

/**
 * The server returns each of `answers` once, and the last one again and again. `hasExpired` is asked by number.
 * `takes`: the time (ms) that an answer takes.
 */
function createFetch(answers: Message[][], hasExpired = (_seq: number) => false, takes = 0) {
  let now = 0
  const fetchMessages = vi.fn(async () => {
    now += takes
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
  })
  const { fetchPage, fetchWhole } = createPageFetch({
    clock: { now: () => now, correction: () => 0 },
    fetchMessages,
    deletedMessages: { find: () => undefined },
    decrypt: async (each) => (hasExpired(each.seq) ? undefined : (each as unknown as DecryptedMessage)),
    isUnderOwnId: () => false,
  })
  return { fetchMessages, fetchPage, fetchWhole }
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

test('a page fails whose answers have not ended after two minutes', async () => {
  const pages = Array.from({ length: 20 }, (_, i) =>
    Array.from({ length: 200 }, (_, j) => message(9_000 - i * 200 - j)),
  )
  const { fetchMessages, fetchPage } = createFetch(pages, () => true, 30_000)
  await expect(fetchPage('c', {})).rejects.toThrow('Something went wrong on the server.')
  expect(fetchMessages).toHaveBeenCalledTimes(5)
})

test('a whole conversation fails whose pages have not ended after two minutes', async () => {
  const pages = Array.from({ length: 20 }, (_, i) =>
    Array.from({ length: 200 }, (_, j) => message(9_000 - i * 200 - j)),
  )
  const { fetchMessages, fetchWhole } = createFetch(pages, () => false, 30_000)
  await expect(fetchWhole('c')).rejects.toThrow('Something went wrong on the server.')
  expect(fetchMessages).toHaveBeenCalledTimes(5)
})
