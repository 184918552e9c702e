import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import {
  collect,
  createStage,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  textOf,
  texts,
} from '../support/stage.ts'
import { browserListed } from '../support/browsers.ts'
import { createRecording, stealSeeds, textsOfThief } from '../support/thief.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Keeps the sessions of these people in use while time passes. */
async function live(stage: Stage, people: readonly Person[], milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 12 * hour) {
    await stage.advance(Math.min(left, 12 * hour))
    for (const person of people) {
      await person.client.connections.list()
      await reconnected(stage, person)
    }
  }
}

async function publishedAhead({ client }: Person): Promise<void> {
  await expect
    .poll(async () => (await client.call(keys.getOwn, { query: {} })).epochs.length)
    .toBeGreaterThanOrEqual(21)
}

/** Anna and Ben, whose keys of a week are published. */
async function begin(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  for (const person of [anna, ben]) await publishedAhead(person)
  const recording = createRecording(connectionId)
  const start = stage.server.clock.now()
  /** Sends a text that tells the hour, and records it. */
  async function send(): Promise<void> {
    await anna.client.messages.send(connectionId, String((stage.server.clock.now() - start) / hour))
    await sentAll(anna)
    await recording.record(anna)
  }
  const hoursOfThief = async (victim: Person, stolen?: Awaited<ReturnType<typeof stealSeeds>>) =>
    (await textsOfThief(stage, victim, anna, recording, stolen)).map(Number).toSorted((one, other) => one - other)
  return { anna, ben, connectionId, send, hoursOfThief }
}

/** Ben's browser is closed from now on. */
const leave = ({ client }: Person): void => client.close()

test('of a member who is here daily a thief opens the messages of 32 hours at most', async () => {
  await using stage = await createStage()
  const { anna, ben, send, hoursOfThief } = await begin(stage)
  for (let half = 0; half < 6; half++) {
    await send()
    await live(stage, [anna, ben], 12 * hour)
  }
  expect(await hoursOfThief(ben)).toEqual([48, 60])
})

test('of a member who has been away for 3 days a thief opens the messages of 32 hours at most', async () => {
  await using stage = await createStage()
  const { anna, ben, send, hoursOfThief } = await begin(stage)
  leave(ben)
  for (let half = 0; half < 6; half++) {
    await send()
    await live(stage, [anna], 12 * hour)
  }
  expect(await hoursOfThief(ben)).toEqual([48, 60])
})

test('of a member who has been away for 10 days a thief opens nothing', { timeout: 60_000 }, async () => {
  await using stage = await createStage()
  const { anna, ben, send, hoursOfThief } = await begin(stage)
  leave(ben)
  for (let days = 0; days < 8; days++) {
    await send()
    expect((await hoursOfThief(ben)).at(-1)).toBe(days * 24)
    await live(stage, [anna], day)
  }
  await live(stage, [anna], 2 * day)
  expect(await hoursOfThief(ben)).toEqual([])
})

test('of a member who was away in the middle a thief opens the messages of 32 hours at most', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, send, hoursOfThief } = await begin(stage)
  await live(stage, [anna, ben], day)
  leave(ben)
  for (let half = 0; half < 4; half++) {
    await send()
    await live(stage, [anna], 12 * hour)
  }
  const back = await stage.signIn(ben)
  expect(await texts(back, connectionId)).toEqual(['60'])
  await live(stage, [anna, back], 12 * hour)
  expect(await hoursOfThief(back)).toEqual([60])
})

test('a thief who has copied the keys of a member opens the messages of the 7 days after it', async () => {
  await using stage = await createStage()
  const { anna, ben, send, hoursOfThief } = await begin(stage)
  const stolen = await stealSeeds(stage, ben)
  for (let days = 0; days < 9; days++) {
    await send()
    await live(stage, [anna, ben], day)
  }
  expect(await hoursOfThief(ben, stolen)).toEqual([0, 24, 48, 72, 96, 120, 144])
})

test('a sender is told since when a contact has not been here, once their last keys have ended', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const { epochs } = await ben.client.call(keys.getOwn, { query: {} })
  leave(ben)
  await live(stage, [anna], 7 * day)
  expect((await anna.client.trust.state(connectionId)).absence).toBeUndefined()
  await live(stage, [anna], 11 * 60_000)
  const since = epochs.at(-1)?.createdAt
  expect((await anna.client.trust.state(connectionId)).absence).toEqual({ since, canReceive: true })
  await live(stage, [anna], day)
  expect((await anna.client.trust.state(connectionId)).absence).toEqual({ since, canReceive: false })
  const back = await stage.signIn(ben)
  await publishedAhead(back)
  await expect.poll(async () => (await anna.client.trust.state(connectionId)).absence).toBeUndefined()
})

test('a message under the last keys of a contact expires with them', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const { epochs } = await ben.client.call(keys.getOwn, { query: {} })
  leave(ben)
  await live(stage, [anna], 7 * day + 18 * hour)
  await anna.client.messages.send(connectionId, 'Six hours are left')
  await sentAll(anna)
  const [sent] = await anna.client.messages.list(connectionId)
  expect(sent?.expiresAt).toBe((epochs.at(-1)?.endsAt ?? 0) + day)
  const back = await stage.signIn(ben)
  expect(await texts(back, connectionId)).toEqual(['Six hours are left'])
  await live(stage, [anna, back], 6 * hour)
  expect(await texts(back, connectionId)).toEqual([])
  expect(await texts(anna, connectionId)).toEqual([])
})

/** The other page of Anna, which was offline, comes back, lists what was sent last, and accuses nobody. */
async function expectNothingMissing(stage: Stage, anna: Person, other: Person, connectionId: string): Promise<void> {
  other.network.offline = false
  const alarms = collect(other, 'alarm')
  await reconnected(stage, other)
  expect(await texts(other, connectionId)).toEqual(['Welcome back'])
  await live(stage, [anna, other], 60_000)
  const [message] = await other.client.messages.list(connectionId)
  expect([alarms, message?.isMissingBefore]).toEqual([[], undefined])
}

test('a message that has expired with the last keys of a contact is not missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const other = await stage.signIn(anna)
  leave(ben)
  await live(stage, [anna, other], 7 * day + 20 * hour)
  expect(await texts(other, connectionId)).toEqual([])
  other.network.offline = true
  await stage.advance(2 * 60_000)
  await anna.client.messages.send(connectionId, 'Four hours are left')
  await sentAll(anna)
  const back = await stage.signIn(ben)
  await publishedAhead(back)
  await live(stage, [anna, back], hour)
  await anna.client.messages.send(connectionId, 'Welcome back')
  await sentAll(anna)
  await live(stage, [anna, back], 4 * hour)
  await expectNothingMissing(stage, anna, other, connectionId)
})

test('a message that expired in an absence is not missing after the contact publishes again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  await browserListed(ben)
  await ben.client.browsers.setOnlyApproved(true)
  const other = await stage.signIn(anna)
  const { epochs } = await ben.client.call(keys.getOwn, { query: {} })
  const end = epochs.at(-1)?.endsAt ?? 0
  leave(ben)
  const until = (time: number) =>
    live(stage, other.network.offline ? [anna] : [anna, other], time - stage.server.clock.now())
  await until(end + 2 * hour)
  expect(await texts(other, connectionId)).toEqual([])
  other.network.offline = true
  await stage.advance(2 * 60_000)
  await anna.client.messages.send(connectionId, 'To the last keys')
  await sentAll(anna)
  await until(end + 3 * hour)
  const lastEndOf = async ({ client }: Person) =>
    (await client.call(keys.getOwn, { query: {} })).epochs.at(-1)?.endsAt ?? 0
  const visit = async () => {
    const back = { ...ben, ...stage.tab(ben) }
    await back.client.account.signIn(ben)
    return back
  }
  const back = await visit()
  await expect.poll(() => lastEndOf(back)).toBeGreaterThan(end + 170 * hour)
  leave(back)
  await until(end + 13 * hour)
  const again = await visit()
  await expect.poll(() => lastEndOf(again)).toBeGreaterThan(end + 178 * hour)
  await until(end + 20 * hour)
  await anna.client.messages.send(connectionId, 'Welcome back')
  await sentAll(anna)
  await until(end + 24 * hour + 10 * 60_000)
  await expectNothingMissing(stage, anna, other, connectionId)
})

test('a message that has expired with the last keys of a contact is neither named nor missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  leave(ben)
  await live(stage, [anna], 7 * day + 20 * hour)
  await anna.client.messages.list(connectionId)
  const alarms = collect(anna, 'alarm')
  await stage.advance(2 * 60_000)
  await anna.client.messages.send(connectionId, 'Four hours are left')
  await sentAll(anna)
  const back = await stage.signIn(ben)
  expect(await texts(back, connectionId)).toEqual(['Four hours are left'])
  await back.client.trust.confirm(connectionId)
  await back.client.messages.send(connectionId, 'I am back')
  await sentAll(back)
  await live(stage, [anna, back], 4 * hour)
  await anna.client.messages.send(connectionId, 'Welcome back')
  await sentAll(anna)
  const messages = await anna.client.messages.list(connectionId)
  expect(messages.map((message) => [textOf(message), message.signed?.previous])).toEqual([
    ['I am back', undefined],
    ['Welcome back', undefined],
  ])
  expect([alarms, ...messages.map(({ isMissingBefore }) => isMissingBefore)]).toEqual([[], undefined, undefined])
})

test('a message to a contact who has been away too long waits, and is sent when they are back', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const carl = await stage.signUp('carl')
  const other = await stage.connect(anna, carl)
  leave(ben)
  await live(stage, [anna, carl], 9 * day)
  await anna.client.messages.send(connectionId, 'For when you are back')
  await anna.client.messages.send(other.id, 'Meanwhile to another')
  await reaches(anna.client.outbox, ([first, second]) => first?.code === 'CONTACT_AWAY' && second === undefined)
  expect(anna.client.outbox.get()).toMatchObject([{ state: 'waiting', code: 'CONTACT_AWAY' }])
  expect(await texts(carl, other.id)).toEqual(['Meanwhile to another'])
  const back = await stage.signIn(ben)
  await sentAll(anna)
  expect(await texts(back, connectionId)).toEqual(['For when you are back'])
})

test('a message that waited for a contact for longer than messages are kept is not sent', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  leave(ben)
  await live(stage, [anna], 9 * day)
  await anna.client.messages.send(connectionId, 'Too long')
  await reaches(anna.client.outbox, ([item]) => item?.code === 'CONTACT_AWAY')
  await live(stage, [anna], day)
  // The outbox tries once a minute, from when its last attempt has ended.
  const tryAgain = async () => {
    await stage.advance(60_000)
    return anna.client.outbox.get().map(({ state, code }) => [state, code])
  }
  await expect.poll(tryAgain).toEqual([['failed', 'TOO_OLD']])
})

test('a server that withholds the newer keys of a contact cannot keep a sender at the old', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const path = `GET /api/connections/${connectionId}/keys`
  let frozen: unknown
  anna.network.tampers = (request, answer) => (request === path ? (frozen ??= answer) : answer)
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  await live(stage, [anna, ben], 9 * hour)
  expect((await anna.client.trust.state(connectionId)).absence).toMatchObject({ canReceive: true })
  await live(stage, [anna, ben], day)
  await anna.client.messages.send(connectionId, 'After')
  await reaches(anna.client.outbox, ([item]) => item?.code === 'CONTACT_AWAY')
  expect(await texts(ben, connectionId)).toEqual([])
})
