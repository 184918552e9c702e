import type { Lifetime } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { expect, test, vi } from 'vitest'
import {
  collect,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  textOf,
  texts,
} from '../../support/stage.ts'

const minute = 60_000
const [hour] = limits.lifetimes

/** Lets time pass for pages that are open and used. */
async function pass(stage: Stage, people: Person[], milliseconds: number, step = 15 * minute): Promise<void> {
  for (let left = milliseconds; left > 0; left -= step) {
    await stage.advance(Math.min(step, left))
    for (const person of people) {
      await reconnected(stage, person)
      await person.client.connections.list()
    }
  }
}

async function say(from: Person, to: Person, connectionId: string, text: string): Promise<void> {
  const heard = next(to, 'message')
  await from.client.messages.send(connectionId, text)
  expect(textOf(await heard)).toBe(text)
  await sentAll(from)
}

async function look({ client }: Person, connectionId: string): Promise<string[]> {
  const listed = await client.messages.list(connectionId)
  return listed.map((message) => `${message.isMissingBefore ? '(missing) ' : ''}${textOf(message)}`)
}

/** Anna and Ben have their pages open while the server is ahead for a time, and write; then it is put right. */
async function afterAhead(stage: Stage, ahead: number, lifetime?: Lifetime) {
  const { anna, ben, connectionId } = await stage.pair()
  if (lifetime) await anna.client.connections.setLifetime(connectionId, lifetime)
  const alarms = [anna, ben].map((each) => collect(each, 'alarm'))
  await pass(stage, [anna, ben], 30 * minute)
  stage.server.clock.ahead = ahead
  await pass(stage, [anna, ben], 10 * minute)
  await say(anna, ben, connectionId, 'From Anna, ahead')
  await say(ben, anna, connectionId, 'From Ben, ahead')
  await pass(stage, [anna, ben], 2 * minute)
  for (const each of [anna, ben]) await look(each, connectionId)
  stage.server.clock.ahead = 0
  return { anna, ben, connectionId, alarms }
}

test(
  'what was stored while the server was ahead is not missing once it is destroyed',
  { timeout: 60_000 },
  async () => {
    await using stage = await createStage()
    const { anna, ben, connectionId, alarms } = await afterAhead(stage, 6 * hour)
    await pass(stage, [anna, ben], 24 * hour)
    await say(ben, anna, connectionId, 'A day later')
    await pass(stage, [anna, ben], 1.5 * hour)
    for (const each of [anna, ben]) expect(await look(each, connectionId)).toEqual(['A day later'])
    await stage.advance(15_000)
    for (const each of [anna, ben]) expect(await look(each, connectionId)).toEqual(['A day later'])
    expect(alarms.flat()).toEqual([])
  },
)

test('a page that was offline when the server was put right takes nothing for missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, alarms } = await afterAhead(stage, hour, hour)
  ben.network.offline = true
  const send = async (text: string) => {
    await anna.client.messages.send(connectionId, text)
    await sentAll(anna)
  }
  await pass(stage, [anna], 30 * minute, 5 * minute)
  await send('Expires before Ben is back')
  await pass(stage, [anna], 38 * minute, 5 * minute)
  await send('Names it')
  await pass(stage, [anna], 24 * minute, 5 * minute)
  ben.network.offline = false
  await reconnected(stage, ben)
  expect(await look(ben, connectionId)).toContain('Names it')
  await stage.advance(15_000)
  expect((await look(ben, connectionId)).at(-1)).toBe('Names it')
  expect(alarms.flat()).toEqual([])
})

test(
  'no message names one that the server stored while it was ahead, and has destroyed',
  { timeout: 60_000 },
  async () => {
    await using stage = await createStage()
    const { anna, ben, connectionId, alarms } = await afterAhead(stage, 6 * hour)
    await say(ben, anna, connectionId, 'The first under the right clock')
    await pass(stage, [anna, ben], 26 * hour)
    const elsewhere = await stage.signIn(ben)
    const told = collect(elsewhere, 'alarm')
    expect(await look(elsewhere, connectionId)).toEqual([])
    await pass(stage, [anna, ben, elsewhere], 2 * minute)
    await say(anna, elsewhere, connectionId, 'From Anna')
    await say(ben, elsewhere, connectionId, 'From Ben')
    await stage.advance(15_000)
    for (const each of [anna, ben, elsewhere]) expect(await look(each, connectionId)).toEqual(['From Anna', 'From Ben'])
    expect([...alarms, told].flat()).toEqual([])
  },
)

test.each(['open', 'closed'])(
  'a reload after the server was put right (page %s then) names nothing that was destroyed',
  { timeout: 60_000 },
  async (page) => {
    await using stage = await createStage()
    const { anna, ben, connectionId, alarms } = await afterAhead(stage, 2 * hour)
    if (page === 'closed') ben.client.close()
    await pass(stage, page === 'closed' ? [anna] : [anna, ben], 24 * hour + 20 * minute)
    const [elsewhere, reloaded] = [await stage.signIn(anna), { ...ben, ...stage.tab(ben) }]
    ben.client.close()
    await reloaded.client.account.signIn(ben)
    const told = collect(elsewhere, 'alarm')
    expect(await look(elsewhere, connectionId)).toEqual([])
    await pass(stage, [anna, elsewhere, reloaded], 10 * minute)
    expect(await look(elsewhere, connectionId)).toEqual([])
    await say(reloaded, elsewhere, connectionId, 'A day later')
    for (let round = 0; round < 2; round++) {
      await stage.advance(15_000)
      for (const each of [anna, elsewhere]) expect(await look(each, connectionId)).toEqual(['A day later'])
    }
    expect([...alarms, told].flat()).toEqual([])
  },
)

test(
  'what was stored while the server was a day ahead can be read until it is destroyed',
  { timeout: 60_000 },
  async () => {
    await using stage = await createStage()
    stage.server.clock.ahead = 25 * hour
    const { anna, ben, connectionId } = await stage.pair()
    await say(anna, ben, connectionId, 'Ahead')
    stage.server.clock.ahead = 0
    await pass(stage, [anna, ben], 10 * minute)
    await say(ben, anna, connectionId, 'Right')
    await pass(stage, [anna, ben], 23.75 * hour)
    expect(await look(await stage.signIn(ben), connectionId)).toEqual(['Ahead', 'Right'])
    await pass(stage, [anna, ben], 30 * minute)
    expect(await look(await stage.signIn(ben), connectionId)).toEqual([])
  },
)

test('a message whose answer was lost is not sent again once a server put right has destroyed it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  stage.server.clock.ahead = 3 * hour
  await pass(stage, [anna, ben], 10 * minute)
  Object.assign(anna.network, { loses: (request: string) => request === 'POST /api/messages', swallows: true })
  await anna.client.messages.send(connectionId, 'Once')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['Once']))
  anna.client.close()
  stage.server.clock.ahead = 0
  await pass(stage, [ben], 25 * hour)
  const reloaded = { ...anna, ...stage.tab(anna) }
  await reloaded.client.account.signIn(anna)
  await reconnected(stage, reloaded)
  await reaches(reloaded.client.outbox, ([item]) => item?.state !== 'waiting' && item?.state !== 'sending')
  expect(reloaded.client.outbox.get()).toMatchObject([{ code: 'ARRIVAL_UNKNOWN' }])
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual([])
})

/** Waits until the server has destroyed what it stored while it was ahead; then a new browser of Ben lists. */
async function lookLater(
  stage: Stage,
  { anna, ben, connectionId }: { anna: Person; ben: Person; connectionId: string },
) {
  const stored = () => anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
  while ((await stored()).length > 1) await stage.advance(minute / 6)
  const elsewhere = await stage.signIn(ben)
  const told = collect(elsewhere, 'alarm')
  for (let round = 0; round < 3; round++) {
    expect(await look(elsewhere, connectionId)).toEqual(['Second'])
    await stage.advance(1_000)
  }
  expect(told).toEqual([])
}

/**
 * The server's clock is ahead, and Anna's page goes by it. Then the server's is put right; the page's is corrected only
 * by what the test does next.
 */
async function beforeCorrection(stage: Stage, ahead: number) {
  const { anna, ben, connectionId } = await stage.pair()
  await pass(stage, [anna, ben], 5 * minute, minute / 2)
  stage.server.clock.ahead = ahead
  await pass(stage, [anna, ben], 10 * minute)
  await say(ben, anna, connectionId, 'Corrects the clock of Anna')
  await say(anna, ben, connectionId, 'First')
  stage.server.clock.ahead = 0
  return { anna, ben, connectionId }
}

const options = { timeout: 60_000 }

test('no message seems missing before one that a page sends while its clock is still ahead', options, async () => {
  await using stage = await createStage()
  const scene = await beforeCorrection(stage, 2 * hour)
  const { anna, ben, connectionId } = scene
  await stage.advance(20_000)
  await say(anna, ben, connectionId, 'Second')
  await pass(stage, [anna, ben], hour - minute / 2)
  for (let i = 0; i < 8; i++) await stage.advance(10_000)
  await pass(stage, [anna, ben], 22.8 * hour)
  await lookLater(stage, scene)
})

test('a page learns within a minute that the clock of the server was put right', options, async () => {
  await using stage = await createStage()
  const { anna } = await beforeCorrection(stage, 2 * hour)
  for (let i = 0; i < 6; i++) await stage.advance(10_000)
  await expect.poll(() => anna.client.now()).toBe(stage.server.clock.now())
})

test('no message seems missing before one of a page whose clock is corrected hours later', options, async () => {
  await using stage = await createStage()
  const scene = await beforeCorrection(stage, 1.5 * hour)
  const { anna, ben, connectionId } = scene
  anna.network.deaf = true
  for (const part of [minute, hour / 2, hour / 2, hour]) await stage.advance(part)
  anna.network.deaf = false
  await reconnected(stage, anna)
  await reconnected(stage, ben)
  await say(anna, ben, connectionId, 'Second')
  await pass(stage, [anna, ben], 21.75 * hour)
  await lookLater(stage, scene)
})
