import { expect, test } from 'vitest'
import { confirmedMessages, sortByLinks } from '../../../src/index.ts'

interface Given {
  n?: number
  envelopeId?: string
  previous?: string
  otherPrevious?: string
  seen?: string
  mine?: boolean
}

const message = (id: string, { mine = false, previous, otherPrevious, seen, n = 1, envelopeId = id }: Given = {}) => ({
  id,
  mine,
  signed: { sentAt: 0, n, lifetime: 0, previous, otherPrevious, seen, link: `link of ${id}`, envelopeId },
})
const link = (id: string) => `link of ${id}`
const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id).join(' ')

test('messages in the order of their links stay as they are', () => {
  const messages = [
    message('a'),
    message('b', { previous: link('a') }),
    message('c', { seen: link('a') }),
    message('d', { otherPrevious: link('c') }),
  ]
  expect(sortByLinks(messages)).toBe(messages)
})

test('a message comes after those that it links to, and after lower numbers of its envelope', () => {
  const messages = [
    message('g', { otherPrevious: link('c') }),
    message('d', { n: 2, envelopeId: 'e' }),
    message('c', { seen: link('b') }),
    message('b', { previous: link('a') }),
    message('a'),
    message('f', { n: 1, envelopeId: 'e' }),
  ]
  expect(idsOf(sortByLinks(messages))).toBe('a b c g f d')
})

test('messages that name each other, or nothing that is there, are all shown once', () => {
  const messages = [
    message('a', { previous: link('b') }),
    message('b', { previous: link('a') }),
    message('c', { seen: link('x') }),
    { id: 'd', mine: false },
  ]
  expect(idsOf(sortByLinks(messages)).split(' ').toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

test('a long chain of messages that arrives last to first is sorted', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) =>
    message(String(i), i > 0 ? { previous: link(String(i - 1)) } : {}),
  )
  expect(sortByLinks(chain.toReversed())).toEqual(chain)
})

test('only what the contact names as seen is confirmed, not the messages before it', () => {
  const messages = [
    message('a', { mine: true }),
    message('b', { mine: true, previous: link('a') }),
    message('answer', { seen: link('b') }),
    message('c', { mine: true, previous: link('b'), seen: link('answer') }),
  ]
  expect([...confirmedMessages(messages)]).toEqual(['b'])
  expect([...confirmedMessages([{ id: 'x', mine: true }, message('y')])]).toEqual([])
  expect([...confirmedMessages(messages.filter(({ mine }) => mine))]).toEqual([])
})

test('who signs with a key that the contact has replaced confirms no delivery', () => {
  const own = message('a', { mine: true })
  const answer = message('answer', { seen: link('a') })
  expect([...confirmedMessages([own, answer])]).toEqual(['a'])
  expect([...confirmedMessages([own, { ...answer, earlierKey: true }])]).toEqual([])
})
