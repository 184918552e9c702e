import { limits } from '@privity/contract/limits'
import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { hour, minute } from '../../support/orderModel/scene.ts'
import { createOrder } from '../../support/messageOrder.ts'

test('messages that name ones that never were do not have the conversation fetched for each', async () => {
  const { order, counts, pass, runTimers, deliver } = createOrder()
  for (let i = 1; i <= 100; i++) {
    deliver(`link ${i}`, { n: 1, previous: `never ${i}`, envelopeId: newId(i) })
    await order.check('c')
  }
  expect(counts).toEqual({ fetched: 1, alarms: 1 })
  pass(10_000)
  runTimers()
  await expect.poll(() => order.marks('c').size).toBe(100)
  expect(counts).toEqual({ fetched: 2, alarms: 1 })
  order.stop()
})

test('a link that nobody knows is missing while what it names certainly lives', async () => {
  const { deliver, marked } = createOrder()
  const id = deliver('two', { n: 1, previous: 'one' })
  expect(await marked()).toEqual([id])
})

test('a link in a message of a short life is not missing: what it names may have expired', async () => {
  const { deliver, marked } = createOrder()
  deliver('two', { n: 1, previous: 'one', lifetime: hour })
  expect(await marked()).toEqual([])
})

test('a number is not missing once a message of the same short life may have expired', async () => {
  const { deliver, pass, marked } = createOrder({ isFresh: true })
  pass(45 * minute)
  deliver('two', { n: 2, lifetime: hour })
  expect(await marked()).toEqual([])
})

test('a link is not missing where the contact was away: it may be destroyed with their keys', async () => {
  const { deliver, marked } = createOrder({ isBack: true })
  deliver('two', { n: 1, previous: 'one' })
  expect(await marked()).toEqual([])
})

test('a message that cannot be opened fills a gap', async () => {
  const { deliver, list, marked } = createOrder()
  const ids = [deliver('one', { n: 1 }), deliver('two'), deliver('three', { n: 3 })]
  list(ids)
  expect(await marked()).toEqual([])
})

test('a message that cannot be opened fills no gap once a list leaves it out', async () => {
  const { deliver, list, marked } = createOrder()
  const [one, , three] = [deliver('one', { n: 1 }), deliver('two'), deliver('three', { n: 3 })]
  list([one, three])
  expect(await marked()).toEqual([three])
})

test('a message that cannot be opened fills no gap once the whole conversation lacks it', async () => {
  const { deliver, list, listKnown, marked } = createOrder()
  const [one, two, three] = [deliver('one', { n: 1 }), deliver('two'), deliver('three', { n: 3 })]
  list([one, two, three])
  expect(await marked()).toEqual([])
  listKnown({ ids: [one, three] })
  expect(await marked()).toEqual([three])
})

test('a message that cannot be opened fills no gap once it has expired', async () => {
  const { order, deliver, list, pass, marked } = createOrder()
  const ids = [deliver('one', { n: 1 }), deliver('two', { lives: minute }), deliver('three', { n: 3 })]
  list(ids)
  pass(minute)
  order.removeExpired('c', ids.slice(1, 2))
  expect(await marked()).toEqual(ids.slice(2))
})

test('a message that cannot be opened fills no gap if its number is not between the others', async () => {
  const { deliver, marked } = createOrder()
  deliver('one', { n: 1 })
  deliver('two', { seq: 0 })
  const last = deliver('three', { n: 3 })
  expect(await marked()).toEqual([last])
})

test('a message that expires before the page shows it leaves a gap', async () => {
  const { order, deliver, list, pass, marked } = createOrder({ isFresh: true })
  const [one, two, three] = [
    deliver('one', { n: 1 }),
    deliver('two', { n: 2, lives: minute }),
    deliver('three', { n: 3 }),
  ]
  order.recordShown('c', new Map([one, three].map((id) => [id, undefined])))
  pass(minute)
  order.removeExpired('c', [two])
  expect(await marked()).toEqual([three])
  list([one, three])
  expect(await marked()).toEqual([three])
})

test('an own message that expires early, as one to the last keys of a contact, is not missing', async () => {
  const { order, deliver, list, pass, marked } = createOrder()
  const own = deliver('own', { n: 1, mine: true, lives: minute })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  list([own, answer])
  pass(minute)
  order.removeExpired('c', [own])
  list([answer])
  expect(await marked()).toEqual([])
})

test('an own message of another page that is left out is missing until it comes', async () => {
  const { order, deliver, list, marked } = createOrder()
  const own = deliver('own', { n: 1, mine: true })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  list([answer])
  expect(await marked()).toEqual([answer])
  list([own, answer])
  await order.check('c')
  expect([...order.marks('c')]).toEqual([[own, { isLate: true }]])
})

test('a message that is left out less than 20 minutes before it expires may have expired', async () => {
  const { deliver, list, marked } = createOrder()
  deliver('own', { n: 1, mine: true, lives: 19 * minute })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  list([answer])
  expect(await marked()).toEqual([])
})

test('a message that this browser has shown until its end is not left out of a list', async () => {
  const { order, deliver, list, marked } = createOrder()
  deliver('own', { n: 1, mine: true })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  for (const own of order.known('c').slice(0, 1)) order.record('c', own, true)
  list([answer])
  expect(await marked()).toEqual([])
})

test('a link to a message that this browser has shown until its end is known', async () => {
  const { order, deliver, list, marked } = createOrder()
  const before = createOrder()
  before.deliver('own', { n: 1, mine: true })
  for (const own of before.order.known('c')) order.record('c', own, true)
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  list([answer])
  expect(await marked()).toEqual([])
})

test('a link to a message is known once another page has shown it until its end', async () => {
  const { order, deliver, listKnown, pass, marked } = createOrder({ isFresh: true })
  const one = deliver('one', { n: 1, lifetime: hour })
  pass(hour)
  order.removeExpired('c', [one])
  listKnown()
  deliver('two', { n: 1, previous: 'one', lifetime: hour, envelopeId: newId(0) })
  for (const shown of order.known('c').slice(0, 1)) order.record('c', shown, true)
  expect(await marked()).toEqual([])
})

test('a message without a key is not missing where a server that is ahead has destroyed it', async () => {
  const { deliver, list, listKnown, pass, marked } = createOrder()
  const one = deliver('one')
  pass(9 * hour)
  listKnown()
  const two = deliver('two', { n: 1, previous: 'one', envelopeId: newId(0) })
  list([one, two])
  pass(15 * hour - minute)
  list([two])
  expect(await marked()).toEqual([])
})

test('a message is not left out if it expired, by its signed time, before it was stored', async () => {
  const { deliver, list, pass, setRetention, marked } = createOrder()
  deliver('own', { n: 1, mine: true, ahead: 3 * hour })
  pass(3 * hour)
  setRetention(2 * hour)
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  list([answer])
  expect(await marked()).toEqual([])
})

test('a gap counts, however shortly the server lets the message after it live', async () => {
  const { deliver, marked } = createOrder()
  deliver('one', { n: 1, lives: minute })
  const three = deliver('three', { n: 3, lives: minute })
  expect(await marked()).toEqual([three])
})

test('a gap counts in a page that was loaded hours after the envelope was made', async () => {
  const { deliver, pass, marked } = createOrder({ isFresh: true })
  deliver('one', { n: 1 })
  pass(4 * hour)
  const three = deliver('three', { n: 3, lives: 2 * hour })
  expect(await marked()).toEqual([three])
})

test('a gap does not count in the last 20 minutes before the keys are destroyed', async () => {
  const { deliver, marked } = createOrder({ isFresh: true })
  deliver('one', { n: 1 })
  deliver('three', { n: 3, lives: 19 * minute })
  expect(await marked()).toEqual([])
})

test('a message that a wrong clock has expired fills its gap again once it is shown', async () => {
  const { order, deliver, list, marked } = createOrder()
  const ids = [deliver('one', { n: 1 }), deliver('two'), deliver('three', { n: 3 })]
  list(ids)
  order.removeExpired('c', ids.slice(1, 2))
  list(ids)
  expect(await marked()).toEqual([])
})

test('the number of a deletion that this browser has shown until its end is not missing', async () => {
  const { order, deliver, marked } = createOrder({ isFresh: true })
  const before = createOrder()
  const envelopeId = newId(Date.UTC(2030, 0, 1, 1))
  before.deliver('deletion', { envelopeId })
  for (const each of before.order.known('c')) order.record('c', { ...each, n: 1, isDeleted: true }, true)
  deliver('two', { n: 2, previous: 'deletion', envelopeId, seq: 2 })
  expect(await marked()).toEqual([])
})

test('a message of a server that was ahead may end an hour earlier, once its dates are corrected', async () => {
  const { deliver, list, pass, marked } = createOrder()
  deliver('own', { n: 1, mine: true, ahead: 3 * hour, lives: limits.retention - 3 * hour })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  pass(limits.retention - 50 * minute)
  list([answer])
  expect(await marked()).toEqual([])
})

test('a message may end so too if the clock of the page is ahead of what is corrected', async () => {
  const { deliver, list, pass, marked } = createOrder()
  deliver('own', { n: 1, mine: true, ahead: 2 * minute })
  const answer = deliver('answer', { n: 1, seen: 'own', envelopeId: newId(0) })
  pass(limits.retention - 50 * minute)
  list([answer])
  expect(await marked()).toEqual([])
})

test('an unopened message fills one gap alone, however the server numbers the others', async () => {
  const { deliver, list, marked } = createOrder()
  const ids = [
    deliver('one', { n: 1, seq: 1 }),
    deliver('unopened', { seq: 3 }),
    deliver('three', { n: 3, seq: 4 }),
    deliver('four', { n: 4, seq: 2 }),
    deliver('six', { n: 6, seq: 5 }),
  ]
  list(ids)
  expect(await marked()).not.toEqual([])
})

test('a message dated ahead may end with a shorter retention, counted from its delivery', async () => {
  const { order, deliver, setRetention, pass, marked } = createOrder()
  const own = deliver('own', { n: 1, mine: true, ahead: hour })
  deliver('answer', { n: 1, seen: 'own', envelopeId: newId(Date.UTC(2030, 0, 1, 1)) })
  setRetention(2 * hour)
  pass(2 * hour)
  order.removeExpired('c', [own])
  expect(await marked()).toEqual([])
})
