import { limits } from '@privity/contract/limits'
import { fromBase64url, toBase64url } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { createRun, type Run } from '../support/orderModel/run.ts'
import type { Stored } from '../support/orderModel/server.ts'
import { createPeople, type People } from '../support/orderModel/people.ts'
import { type ModelTab } from '../support/orderModel/world.ts'
import { watchCrypto } from '../support/sendingModel/time.ts'

const minute = 60_000
const hour = 60 * minute
const [anna, ben] = [0, 2]

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

async function createScene() {
  const run = await createRun(people, 1)
  /** Sends, unless the network keeps it, and gives it time to arrive. */
  async function send(tab: ModelTab, text: string): Promise<void> {
    const sending = tab.send(text)
    await run.time.pass(minute)
    await sending
  }
  return { run, send }
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
  const damaged = (content: string) => {
    const bytes = fromBase64url(content)
    return toBase64url(bytes.with(500, (bytes[500] as number) ^ 1))
  }
  run.server.state.lie = (shown) =>
    shown.map((each) => (each.place === 1 ? { ...each, content: damaged(each.content) } : each))
  other.die()
  const reloaded = await run.openTab(ben)
  await run.list(reloaded)
  const messages = await run.list(reloaded)
  expect(messages.map(({ body }) => body.kind)).toEqual(['text', 'unreadable', 'text'])
  expect([reloaded.alarms, ...reloaded.marks()]).toEqual([[]])
})

test('a message disappears in time, whatever the server says of its expiry', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await send(one, 'One')
  run.server.state.lie = () => run.server.log.map((each) => ({ ...each, expiresAt: each.expiresAt + 100 * hour }))
  const [message] = await run.list(other)
  expect(message?.expiresAt).toBe((message?.createdAt ?? 0) + limits.retention)
  await run.time.pass(limits.retention)
  expect(await run.list(other)).toEqual([])
})

test('a message that was signed too long ago is not shown to a new browser either', async () => {
  const { run, send } = await createScene()
  const one = await run.openTab(anna)
  await send(one, 'One')
  const [stored] = run.server.log
  await run.time.pass(limits.retention + 10 * minute)
  const createdAt = run.time.now()
  const again = { ...(stored as Stored), createdAt, expiresAt: createdAt + limits.retention }
  run.server.state.lie = () => [again]
  expect(await run.list(await run.openTab(ben))).toEqual([])
})

test('a message that this browser has shown is not shown again, in no page of it', async () => {
  const { run, send } = await createScene()
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await send(one, 'One')
  expect((await run.list(other)).length).toBe(1)
  await run.time.pass(25 * hour)
  const [stored] = run.server.log as [Stored]
  // As if it had been on its way for most of the time that messages live.
  const createdAt = stored.createdAt + 23 * hour
  run.server.state.lie = () => [{ ...stored, createdAt, expiresAt: createdAt + limits.retention }]
  expect(await run.list(other)).toEqual([])
  other.die()
  expect(await run.list(await run.openTab(ben))).toEqual([])
  // A browser that has never shown it shows the time at which it was written.
  const [message] = await run.list(await run.openTab(ben + 1))
  const delay = (message?.createdAt ?? 0) - (message?.signed?.sentAt ?? 0)
  expect(Math.round(delay / hour)).toBe(23)
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
  one.browser.ahead = hour
  await send(one, 'One')
  one.correctClock()
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
