import { limits } from '@privity/contract/limits'
import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createOrder } from '../../support/messageOrder.ts'
import { hour, minute, second } from '../../support/orderModel/scene.ts'

test('a message is judged again with a later list, although a check found nothing missing', async () => {
  const { deliver, list, listKnown, pass, setAhead, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(7 * minute)
  const two = deliver('two', { n: 1, previous: 'one' })
  setAhead(limits.retention)
  expect(await marked()).toEqual([])
  setAhead(0)
  list([two])
  expect(await marked()).toEqual([two])
})

test('a message delivered while the told time is behind counts from the time told later', async () => {
  const { deliver, listKnown, pass, setAhead, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(7 * minute)
  setAhead(-9 * minute)
  const two = deliver('two', { n: 1, previous: 'one', senderAhead: 9 * minute })
  setAhead(0)
  expect(await marked()).toEqual([two])
})

test('a message is missing, although the page was told a time four minutes later meanwhile', async () => {
  const { deliver, listKnown, pass, setAhead, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(2 * minute)
  setAhead(4 * minute)
  const two = deliver('two', { n: 1, previous: 'one', senderAhead: -4 * minute })
  expect(await marked()).toEqual([two])
})

test('a message is missing, although the time told was ahead while the next one was delivered', async () => {
  const { deliver, listKnown, pass, setAhead, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(2 * minute)
  setAhead(2 * hour)
  const two = deliver('two', { n: 1, previous: 'one', senderAhead: -2 * hour })
  setAhead(0)
  expect(await marked()).toEqual([two])
})

test.each([
  [9, true],
  [13, false],
])('a message is missing before one signed %i minutes too early: %s', async (behind, isMissing) => {
  const { deliver, listKnown, pass, marked } = createOrder({ isFresh: true })
  listKnown()
  pass(2 * minute)
  const two = deliver('two', { n: 1, previous: 'one', senderAhead: -behind * minute })
  expect(await marked()).toEqual(isMissing ? [two] : [])
})

test('a list from before the page learns of a shorter retention leaves out nothing that it ended', async () => {
  const { deliver, list, pass, setRetention, marked } = createOrder()
  const one = deliver('one', { n: 1 })
  list([one])
  pass(hour)
  const two = deliver('two', { n: 2, previous: 'one' })
  list([two])
  setRetention(hour)
  expect(await marked()).toEqual([])
})

test('a shorter retention announced for one list does not shorten what an earlier list proves', async () => {
  const { deliver, listKnown, pass, setRetention, marked } = createOrder()
  setRetention(hour)
  listKnown()
  setRetention(limits.retention)
  const two = deliver('two', { n: 1, previous: 'one' })
  pass(45 * minute)
  expect(await marked()).toEqual([two])
})

test('a message that a wrong clock has expired is missing if a list lacks it once it is back', async () => {
  const { order, deliver, list, marked } = createOrder({ isFresh: true })
  const one = deliver('one', { n: 1 })
  list([one])
  order.removeExpired('c', [one])
  list([one])
  const two = deliver('two', { n: 2, previous: 'one' })
  list([two])
  expect(await marked()).toEqual([two])
})

test('what a list brought while the clock went back by a second is not missing after its end', async () => {
  const { order, deliver, listKnown, pass, setAhead, marked } = createOrder({ isFresh: true })
  const one = deliver('one', { n: 1, lives: 23 * hour })
  setAhead(-second)
  listKnown()
  setAhead(0)
  deliver('two', { n: 1, previous: 'one', envelopeId: newId(0) })
  pass(23 * hour)
  order.removeExpired('c', [one])
  expect(await marked()).toEqual([])
})

test('a message that a short retention ended unshown is missing if a later one names it', async () => {
  const { order, deliver, listKnown, pass, setRetention, marked } = createOrder({ isFresh: true })
  const one = deliver('one', { n: 1 })
  setRetention(minute)
  pass(minute)
  order.removeExpired('c', [one])
  setRetention(limits.retention)
  listKnown()
  const two = deliver('two', { n: 1, previous: 'one', envelopeId: newId(0) })
  expect(await marked()).toEqual([two])
})
