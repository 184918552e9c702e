import { limits } from '@privity/contract/limits'
import { messageLink } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { createOrder } from '../../support/messageOrder.ts'
import { anna, ben, createDialogue, type Dialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, textOf } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'
import type { ModelTab } from '../../support/orderModel/world.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

const signedOf = async ({ list }: Dialogue, tab: ModelTab, text: string) =>
  (await list(tab)).find((each) => textOf(each) === text)?.signed

const linkOf = ({ server }: Dialogue, place: number) => messageLink((server.log[place] as Stored).content)

/** The server lies about the second message to who has sent it: in the answer, and in every list. */
function lieToSender({ server }: Dialogue, change: (stored: Stored) => Stored): void {
  const lie = (each: Stored) => (each.place === 1 ? change(each) : each)
  server.state.answer = lie
  server.state.lie = (shown, userId) => shown.map((each) => (each.senderId === userId ? lie(each) : each))
}

test.each([
  ['expiresAt', (stored: Stored) => ({ ...stored, expiresAt: stored.createdAt + minute / 2 })],
  ['expiresAt of the past', (stored: Stored) => ({ ...stored, expiresAt: 1 })],
  ['createdAt', (stored: Stored) => ({ ...stored, createdAt: stored.createdAt - 25 * hour })],
  ['id', (stored: Stored) => ({ ...stored, id: stored.connectionId })],
])('a message names the last one sent, although the server lies about it to its sender (%s)', async (_what, change) => {
  const dialogue = await createDialogue(people)
  const { send, openBoth, openTab } = dialogue
  const [one] = await openBoth()
  await send(one, 'One')
  lieToSender(dialogue, change)
  await send(one, 'Two')
  await send(one, 'Three')
  one.die()
  const reloaded = await openTab(anna)
  await send(reloaded, 'Four')
  expect((await signedOf(dialogue, reloaded, 'Three'))?.previous).toBe(await linkOf(dialogue, 1))
  expect(await signedOf(dialogue, reloaded, 'Four')).toMatchObject({ n: 1, previous: await linkOf(dialogue, 2) })
})

test('a message whose answer is lost is named, although the notice of it lies', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, time } = dialogue
  const [one] = await openBoth()
  await send(one, 'One')
  lieToSender(dialogue, (stored) => ({ ...stored, expiresAt: stored.createdAt + minute / 2 }))
  one.browser.network = 'sendAnswersLost'
  await send(one, 'Two')
  one.browser.network = 'well'
  await one.receive({ ...(server.log[1] as Stored), expiresAt: time.now() + minute / 2 })
  await time.pass(minute)
  await send(one, 'Three')
  expect(await signedOf(dialogue, one, 'Three')).toMatchObject({ previous: await linkOf(dialogue, 1) })
})

test('a message names the last one sent, although an earlier clock was ahead', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, send, openTab } = dialogue
  const [browser] = browsers as [Dialogue['browsers'][number]]
  for (const [text, ahead] of [
    ['Ahead', 290_000],
    ['Two', 0],
    ['Three', 0],
  ] as const) {
    browser.ahead = ahead
    const tab = await openTab(anna)
    await send(tab, text)
    tab.die()
  }
  const tab = await openTab(anna)
  await send(tab, 'Four')
  expect((await signedOf(dialogue, tab, 'Two'))?.previous).toBe(await linkOf(dialogue, 0))
  expect((await signedOf(dialogue, tab, 'Three'))?.previous).toBe(await linkOf(dialogue, 1))
  expect((await signedOf(dialogue, tab, 'Four'))?.previous).toBe(await linkOf(dialogue, 2))
})

test('a message names the last one sent, although another own browser is ahead', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, send, openTab, list } = dialogue
  for (const [at, ahead] of [-5, 5].entries()) (browsers[at] as Dialogue['browsers'][number]).ahead = ahead * minute
  const [one, ahead] = [await openTab(anna), await openTab(anna + 1)]
  await send(ahead, 'One')
  await list(one)
  lieToSender(dialogue, (stored) => ({ ...stored, id: stored.connectionId }))
  await send(one, 'Two')
  one.die()
  const reloaded = await openTab(anna)
  await list(reloaded)
  await send(reloaded, 'Three')
  expect((await signedOf(dialogue, reloaded, 'Three'))?.previous).toBe(await linkOf(dialogue, 1))
})

/** From now on the server shows nobody this message. */
function hide({ server }: Dialogue, place: number): void {
  server.state.lie = (shown) => shown.filter((each) => each.place !== place)
}

const missingBefore = async ({ look }: Dialogue, tab: ModelTab) =>
  (await look(tab)).filter(({ isMissingBefore }) => isMissingBefore).map(textOf)

test('a message names the last one sent in another tab, although the server hides it', async () => {
  const dialogue = await createDialogue(people)
  const { send, openBoth, openTab, list } = dialogue
  const [one, other] = await openBoth()
  const second = await openTab(anna)
  await send(one, 'One')
  for (const tab of [second, other]) await list(tab)
  hide(dialogue, 1)
  await send(one, 'Hidden')
  await send(second, 'Three')
  expect(await missingBefore(dialogue, other)).toEqual(['Three'])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message that follows one of a clock an hour ahead is not named once it has expired', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, server, send, openTab, time } = dialogue
  const [browser] = browsers as [Dialogue['browsers'][number]]
  server.state.ahead = browser.ahead = hour
  const one = await openTab(anna)
  await send(one, 'Ahead')
  server.putRight()
  one.setClock(0)
  await send(one, 'Two')
  await time.pass(limits.retention)
  await send(one, 'Three')
  expect((await signedOf(dialogue, one, 'Three'))?.previous).toBeUndefined()
})

test('the last message sent is named after a reload, although a clock was hours ahead before', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, server, send, openTab, time } = dialogue
  const [browser] = browsers as [Dialogue['browsers'][number]]
  server.state.lifetime = hour
  server.state.ahead = browser.ahead = 3 * hour
  const one = await openTab(anna)
  await send(one, 'Ahead')
  server.putRight()
  one.setClock(0)
  await time.pass(1.5 * hour)
  await send(one, 'Two')
  lieToSender(dialogue, (stored) => ({ ...stored, id: stored.connectionId }))
  one.die()
  const reloaded = await openTab(anna)
  await send(reloaded, 'Three')
  expect((await signedOf(dialogue, reloaded, 'Three'))?.previous).toBe(await linkOf(dialogue, 1))
})

test('a message of which only a notice came is named as seen', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth } = dialogue
  const [one, other] = await openBoth()
  await send(one, 'One')
  await other.receive(server.log[0] as Stored)
  await send(other, 'Answer')
  expect((await signedOf(dialogue, other, 'Answer'))?.seen).toBe(await linkOf(dialogue, 0))
})

test('a message that the server leaves out of a later list is not named as seen', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list } = dialogue
  const [one, other] = await openBoth()
  await send(other, 'One')
  await send(other, 'Two')
  await list(one)
  server.state.lie = (shown, userId) => shown.filter(({ place, senderId }) => place !== 1 || senderId === userId)
  await list(one)
  await send(one, 'Three')
  expect((await signedOf(dialogue, one, 'Three'))?.seen).toBe(await linkOf(dialogue, 0))
})

test('the newest message of the contact is named, although their other browser is ahead', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, send, openTab, list } = dialogue
  for (const [at, ahead] of [5, -5].entries()) (browsers[at] as Dialogue['browsers'][number]).ahead = ahead * minute
  const [first, second, other] = [await openTab(anna), await openTab(anna + 1), await openTab(ben)]
  await send(first, 'One')
  await list(second)
  await send(second, 'Two')
  await list(other)
  await send(other, 'Answer')
  expect((await signedOf(dialogue, other, 'Answer'))?.seen).toBe(await linkOf(dialogue, 1))
})

test('a message is named until 20 minutes before it expires', async () => {
  const dialogue = await createDialogue(people)
  const { send, openTab, time } = dialogue
  const one = await openTab(anna)
  await send(one, 'One')
  await time.pass(limits.retention - 23 * minute)
  await send(one, 'Two')
  await time.pass(limits.retention - 20 * minute)
  await send(one, 'Three')
  const sent = await dialogue.list(one)
  expect(sent.map((each) => [textOf(each), each.signed?.previous])).toEqual([
    ['Two', await linkOf(dialogue, 0)],
    ['Three', undefined],
  ])
})

test('a message that waited for its answer is not named late, although a clock was ahead before', async () => {
  const dialogue = await createDialogue(people)
  const { browsers, server, send, openTab, time } = dialogue
  const [browser] = browsers as [Dialogue['browsers'][number]]
  server.state.lifetime = limits.lifetimes[1]
  server.state.ahead = browser.ahead = 3 * hour
  const one = await openTab(anna)
  await send(one, 'Ahead')
  server.putRight()
  one.setClock(0)
  browser.network = 'sendAnswersLost'
  await send(one, 'Two')
  browser.network = 'offline'
  await time.pass(2 * hour)
  browser.network = 'well'
  one.outbox.flush()
  await time.pass(minute)
  await time.pass((server.log[1] as Stored).expiresAt - time.now() - 10 * minute)
  await send(one, 'Three')
  expect((await signedOf(dialogue, one, 'Three'))?.previous).toBeUndefined()
})

test.each([
  ['own', true],
  ['received', false],
] as const)(
  'the last %s message, dated ahead, is named until 20 minutes before its corrected end',
  async (_whose, mine) => {
    const { order, deliver, list, pass } = createOrder()
    list([deliver('one', { n: 1, mine, ahead: 3 * hour })])
    const named = async () => {
      const { previous, seen } = await order.linksFor('c', limits.retention)
      return mine ? previous : seen
    }
    // An hour and two runs of the job before it is a day old, and the margin of the clocks.
    pass(limits.retention - 82 * minute)
    expect(await named()).toBe('one')
    pass(minute)
    expect(await named()).toBeUndefined()
  },
)

test.each([false, true])('no message is named late in a shortened lifetime (reloaded: %s)', async (isReloaded) => {
  const dialogue = await createDialogue(people)
  const { server, send, openTab, time } = dialogue
  const one = await openTab(anna)
  await send(one, 'One')
  server.state.retention = 2 * hour
  await time.pass(2 * hour - 10 * minute)
  const sender = isReloaded ? await openTab(anna) : one
  await send(sender, 'Two')
  expect((await signedOf(dialogue, sender, 'Two'))?.previous).toBeUndefined()
})

test('no message is named just before a key of it is destroyed', async () => {
  const dialogue = await createDialogue(people)
  const { send, openTab, time } = dialogue
  const one = await openTab(anna)
  await time.pass(limits.epochDuration - 2 * minute)
  one.browser.network = 'sendsLost'
  await send(one, 'One')
  await time.pass(8 * minute)
  one.browser.network = 'well'
  await time.pass(minute)
  // Ten minutes less than it would live for.
  await time.pass(limits.retention - 24 * minute)
  await send(one, 'Two')
  expect((await signedOf(dialogue, one, 'Two'))?.previous).toBeUndefined()
  expect(dialogue.server.log).toHaveLength(2)
})
