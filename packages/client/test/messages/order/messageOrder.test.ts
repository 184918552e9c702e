import { limits } from '@privity/contract/limits'
import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue } from '../../support/orderModel/dialogue.ts'
import { damaged } from '../../support/orderModel/omissions.ts'
import type { Run } from '../../support/orderModel/run.ts'
import { hour, minute } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

async function createScene() {
  const run = await createDialogue(people)
  return { run, send: run.send }
}

function hideFirst({ server }: Run, ...from: People[number][]): void {
  const ids = from.map(({ userId }) => userId)
  server.state.lie = (shown, userId) => shown.filter(({ place }) => place !== 0 || !ids.includes(userId))
}

test('a message names its number, the own message before it and the newest that was read', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await send(one, 'One')
  await run.list(other)
  await send(other, 'Answer')
  await run.list(one)
  await send(one, 'Two')
  const signed = (await run.list(one)).map((message) => message.signed)
  const [first, answer, second] = signed
  expect(signed.map((each) => each?.n)).toEqual([1, 1, 2])
  expect([first?.previous, first?.seen]).toEqual([undefined, undefined])
  expect([answer?.previous, answer?.seen]).toEqual([undefined, first?.link])
  expect([second?.previous, second?.seen]).toEqual([first?.link, answer?.link])
  expect(second?.envelopeId).toBe(first?.envelopeId)
})

test('each tab seals under envelopes of its own', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(anna)]
  await send(one, 'One')
  await send(other, 'Two')
  await send(one, 'Three')
  const signed = (await run.list(one)).map((message) => message.signed)
  expect(signed.map((each) => each?.n)).toEqual([1, 1, 2])
  expect(signed[1]?.envelopeId).not.toBe(signed[0]?.envelopeId)
  expect(signed[2]?.envelopeId).toBe(signed[0]?.envelopeId)
  expect(signed[2]?.previous).toBe(signed[1]?.link)
})

test.each(['sendsLost', 'sendAnswersLost'] as const)(
  'a message given up after it was sealed is no omission (%s)',
  async (network) => {
    const { run, send } = await createScene()
    const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
    await send(one, 'One')
    one.browser.network = network
    await send(one, 'Given up')
    const [waiting] = one.items.get()
    await one.outbox.discard(waiting?.id ?? '')
    one.browser.network = 'well'
    await send(one, 'Two')
    const messages = await run.list(other)
    expect(messages.at(-1)?.signed).toMatchObject({ n: 1, previous: messages[0]?.signed?.link })
    expect((await run.list(other)).filter(({ isMissingBefore }) => isMissingBefore)).toEqual([])
    expect(other.alarms).toEqual([])
  },
)

test('a page that is loaded anew links to the last message sent, although the server hides it', async () => {
  const { run, send } = await createScene()
  const [first, other] = [await run.openTab(anna), await run.openTab(ben)]
  await run.list(other)
  await run.time.pass(2 * minute)
  hideFirst(run, people[1])
  await send(first, 'One')
  const [link] = (await run.list(first)).map(({ signed }) => signed?.link)
  first.die()
  hideFirst(run, ...people)
  const second = await run.openTab(anna)
  expect(await run.list(second)).toEqual([])
  await send(second, 'Two')
  expect((await run.list(second))[0]?.signed).toMatchObject({ n: 1, previous: link })
  await run.list(other)
  expect((await run.list(other)).map(({ isMissingBefore }) => isMissingBefore)).toEqual([true])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message that is linked to and may have expired is no omission', async () => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  await send(one, 'One')
  await run.time.pass(23 * hour)
  one.browser.network = 'sendsLost'
  await send(one, 'Two')
  await run.time.pass(2 * hour)
  const other = await run.openTab(ben)
  expect(await run.list(other)).toEqual([])
  one.browser.network = 'well'
  await run.time.pass(minute)
  const [message] = await run.list(other)
  expect(message?.signed?.previous).toBeDefined()
  await run.list(other)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('an answer that is under way is no omission', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await run.list(other)
  await send(one, 'One')
  await send(one, 'Two')
  await other.receive(run.server.log[1] as Stored)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a message that cannot be opened is not missing', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  for (const text of ['One', 'Two', 'Three']) await send(one, text)
  run.server.state.lie = (shown) => shown.map((each) => (each.place === 1 ? damaged(each) : each))
  other.die()
  const reloaded = await run.openTab(ben)
  await run.list(reloaded)
  const messages = await run.list(reloaded)
  expect(messages.map(({ body }) => body.kind)).toEqual(['text', 'unreadable', 'text'])
  expect([reloaded.alarms, ...reloaded.marks()]).toEqual([[]])
})

test('a message keeps the number under which it was delivered first', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  for (const text of ['One', 'Two', 'Three']) await send(one, text)
  await run.list(other)
  run.server.state.lie = (shown) => shown.map((each) => ({ ...each, seq: 10 - each.seq }))
  expect((await run.list(other)).map(({ seq, body }) => [seq, body])).toMatchObject([
    [1, { text: 'One' }],
    [2, { text: 'Two' }],
    [3, { text: 'Three' }],
  ])
})

test('messages of an envelope that have expired are not missing', async () => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  await send(one, 'One')
  await run.time.pass(5 * hour)
  await send(one, 'Two')
  await run.time.pass(20 * hour)
  const other = await run.openTab(ben)
  expect((await run.list(other)).map(({ signed }) => signed?.n)).toEqual([2])
  await run.list(other)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('messages that a clock which was ahead has numbered are not missing once they have expired', async () => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  run.server.state.ahead = one.browser.ahead = hour
  await send(one, 'One')
  run.server.putRight()
  one.setClock(0)
  await run.time.pass(5 * hour)
  await send(one, 'Two')
  await run.time.pass(19 * hour + 10 * minute)
  const other = await run.openTab(ben)
  await run.list(other)
  expect((await run.list(other)).map(({ body }) => body)).toMatchObject([{ text: 'Two' }])
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a message sealed before the operator raised the lifetime is not sent under its envelope', async () => {
  const { run, send } = await createScene()
  run.server.state.retention = 2 * hour
  const one = await run.openTab(anna)
  await send(one, 'One')
  one.browser.network = 'sendsLost'
  await send(one, 'Two')
  run.server.state.retention = limits.retention
  one.browser.network = 'well'
  await run.time.pass(3 * hour)
  const other = await run.openTab(ben)
  expect((await run.list(other)).map(({ signed }) => signed?.n)).toEqual([1])
  await run.list(other)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('messages that lived shorter before the operator raised their lifetime are not missing', async () => {
  const { run, send } = await createScene()
  run.server.state.retention = 2 * hour
  const one = await run.openTab(anna)
  await send(one, 'One')
  run.server.state.retention = limits.retention
  await send(one, 'Two')
  await run.time.pass(3 * hour)
  const other = await run.openTab(ben)
  expect((await run.list(other)).map(({ signed }) => signed?.n)).toEqual([1])
  await run.list(other)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a message names none that lives shorter: recipients judge by its own lifetime', async () => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  const other = await run.openTab(ben)
  const setLifetime = (lifetime: number) => {
    run.server.state.lifetime = lifetime
    one.hearLifetime()
  }
  await run.list(other)
  other.browser.network = 'offline'
  await run.time.pass(minute)
  setLifetime(hour)
  await send(one, 'One')
  setLifetime(limits.retention)
  await send(one, 'Two')
  await run.time.pass(2 * hour)
  other.browser.network = 'well'
  await run.list(other)
  await run.time.pass(minute)
  expect((await run.list(other)).map(({ body }) => body)).toMatchObject([{ text: 'Two' }])
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a message of a short life that a server leaves out is missing before the next one', async () => {
  const { run, send } = await createScene()
  run.server.state.lifetime = hour
  const one = await run.openTab(anna)
  const other = await run.openTab(ben)
  await send(one, 'One')
  await run.list(other)
  await run.time.pass(12 * minute)
  const place = run.server.log.length
  run.server.state.lie = (shown, userId) => shown.filter((each) => each.place !== place || each.senderId === userId)
  await send(one, 'Two')
  await send(one, 'Three')
  await run.time.pass(minute)
  await run.list(other)
  await run.time.pass(minute)
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test.each([-5, -3, 5])('a clock that is wrong by %d minutes accuses nobody once a message has expired', async (off) => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  await send(one, 'One')
  await run.time.pass(24 * hour - minute - 30_000)
  one.browser.network = 'sendsLost'
  await send(one, 'Two')
  for (const browser of run.browsers.slice(ben)) browser.ahead = off * minute
  const other = await run.openTab(ben)
  await run.list(other)
  await run.time.pass(minute)
  one.browser.network = 'well'
  await run.time.pass(minute)
  await run.list(other)
  await run.list(other)
  expect((await run.list(other)).map(({ body }) => body)).toMatchObject([{ text: 'Two' }])
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})
