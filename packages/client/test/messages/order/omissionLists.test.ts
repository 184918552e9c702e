import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { hour, minute } from '../../support/orderModel/scene.ts'
import { createOrder } from '../../support/messageOrder.ts'

test('a link is also missing in a page that was opened while the server was ahead', async () => {
  const { setAhead, listKnown, pass, deliver, marked } = createOrder({ isFresh: true })
  setAhead(12 * hour)
  listKnown()
  setAhead(0)
  pass(hour)
  listKnown()
  pass(hour)
  const id = deliver('two', { n: 1, previous: 'one' })
  expect(await marked()).toEqual([id])
})

test('a page whose last list is from before the clock was put back lists again in time', async () => {
  const { counts, setAhead, listKnown, pass, deliver, marked } = createOrder({ isFresh: true })
  setAhead(12 * hour)
  listKnown()
  setAhead(0)
  pass(7 * hour)
  deliver('two', { n: 1, previous: 'one' })
  await marked()
  expect(counts.fetched).toBe(1)
})

test('a message that was stored while the server was ahead is judged by no later list', async () => {
  const { order, setAhead, listKnown, pass, deliver, marked } = createOrder({ isFresh: true })
  setAhead(6 * hour)
  const unshown = deliver('unshown', { n: 1, lives: minute })
  deliver('two', { n: 1, previous: 'destroyed', envelopeId: newId(0) })
  expect(await marked()).toEqual([])
  setAhead(0)
  pass(hour)
  listKnown()
  order.removeExpired('c', [unshown])
  expect(await marked()).toEqual([])
})

test('a link is missing, although the server does not say the time', async () => {
  const { deliver, marked } = createOrder({ isTimeless: true })
  const id = deliver('two', { n: 1, previous: 'one' })
  expect(await marked()).toEqual([id])
})

test('a list of the page is enough while the list of the whole conversation does not end', async () => {
  const { order, listKnown, deliver } = createOrder({ listWhole: () => new Promise(() => {}) })
  const id = deliver('two', { n: 1, previous: 'one' })
  void order.check('c')
  await Promise.resolve()
  expect(order.marks('c').size).toBe(0)
  listKnown()
  void order.check('c')
  expect([...order.marks('c').keys()]).toEqual([id])
})

test('a list of the page is enough if the server refuses the whole conversation and the time', async () => {
  const { order, listKnown, deliver } = createOrder({ isTimeless: true, listWhole: () => Promise.reject(new Error()) })
  const id = deliver('two', { n: 1, previous: 'one' })
  await order.check('c').catch(() => {})
  expect(order.marks('c').size).toBe(0)
  listKnown()
  deliver('three', { n: 1, previous: 'another', envelopeId: newId(0) })
  await order.check('c').catch(() => {})
  expect([...order.marks('c').keys()]).toEqual([id])
})

test('a check fails while it needs the whole conversation, and the server refuses it', async () => {
  const refused = new Error('Refused.')
  const { order, counts, listKnown, deliver } = createOrder({ isFresh: true, listWhole: () => Promise.reject(refused) })
  listKnown({ isWhole: false })
  deliver('two', { n: 2 })
  await expect(order.check('c')).rejects.toBe(refused)
  await expect(order.check('c')).rejects.toBe(refused)
  expect(counts.fetched).toBe(1)
})

test('a check that the member wants asks for the whole conversation at once', async () => {
  let answer: Promise<void> = Promise.reject(new Error('Refused.'))
  const { order, counts, listKnown, deliver } = createOrder({ isFresh: true, listWhole: () => answer })
  listKnown({ isWhole: false })
  const id = deliver('two', { n: 2 })
  await expect(order.check('c')).rejects.toThrow()
  answer = Promise.resolve()
  await order.check('c', true)
  expect(counts.fetched).toBe(2)
  expect([...order.marks('c').keys()]).toEqual([id])
})

test('a list of a part of the conversation does not show that a message is missing', async () => {
  const { order, listKnown, deliver } = createOrder({ isFresh: true, listWhole: () => Promise.reject(new Error()) })
  deliver('two', { n: 2 })
  listKnown({ isWhole: false })
  await order.check('c').catch(() => {})
  expect(order.marks('c').size).toBe(0)
})

test('a number under an envelope of a clock that was ahead may have expired by the right time', async () => {
  const { setAhead, pass, deliver, marked } = createOrder({ isFresh: true })
  setAhead(3 * hour)
  deliver('two', { n: 2, envelopeId: newId(Date.UTC(2030, 0, 1) + 4 * hour) })
  setAhead(0)
  pass(24 * hour - 10 * minute)
  expect(await marked()).toEqual([])
})

test('a message that was sealed again counts from the delivery of its second seal', async () => {
  const { deliver, listKnown, pass, marked } = createOrder({ isFresh: true })
  const id = deliver('first seal', { n: 1 })
  pass(30 * minute)
  listKnown()
  deliver('second seal', { id, n: 1, previous: 'hidden' })
  expect(await marked()).toEqual([id])
})

test('a marked message has the whole conversation fetched once, however often the page lists', async () => {
  const { counts, deliver, list, pass, marked } = createOrder()
  const two = deliver('two', { n: 1, previous: 'one' })
  for (let i = 0; i < 3; i++) {
    expect(await marked()).toEqual([two])
    pass(minute)
    list([two])
  }
  expect(counts.fetched).toBe(1)
})

test('a message that signs a life of a minute has the whole conversation fetched once a minute', async () => {
  const { counts, deliver, list, listKnown, pass, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(minute / 2)
  const two = deliver('two', { n: 1, seen: 'one', lifetime: minute })
  await marked()
  expect(counts.fetched).toBe(0)
  pass(minute / 2)
  list([two])
  await marked()
  expect(counts.fetched).toBe(1)
})
