import { type EpochKey, keys, type OwnKeys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/transport/clock.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { openDestroyedEpochs } from '../../src/keys/destroyedEpochs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { createStage, type Person, reconnected, sentAll, type Stage, texts } from '../support/stage.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

const newest = async ({ client }: Person) => (await client.call(keys.getOwn, { query: {} })).epochs.at(-1) as EpochKey

async function live(stage: Stage, people: Person[], milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 12 * hour) {
    await stage.advance(Math.min(left, 12 * hour))
    for (const person of people) {
      await person.client.connections.list()
      await reconnected(stage, person)
    }
  }
}

test(
  'a seed whose epoch was dated three days ahead stays destroyed when that day comes',
  { timeout: 60_000 },
  async () => {
    await using stage = await createStage()
    stage.server.clock.ahead = 3 * day
    const { anna, ben, connectionId } = await stage.pair()
    await anna.client.messages.send(connectionId, 'Sealed while the clock was ahead')
    await sentAll(anna)
    const recorded = await ben.client.call(keys.getOwn, { query: {} })
    const list = await ben.client.call(messages.list, { params: { id: connectionId }, query: {} })
    stage.server.clock.ahead = 0
    for (const person of [anna, ben]) {
      await person.client.account.signIn(person)
      await expect.poll(async () => (await newest(person)).startsAt).toBe(stage.server.clock.now() + 20 * 8 * hour)
    }
    await live(stage, [anna, ben], 3 * day + 3 * 60_000)
    const tab = stage.tab(ben)
    tab.network.tampers = (request, answer) => {
      if (request.endsWith('/messages')) return list
      return request === 'GET /api/keys' ? { ...(answer as OwnKeys), epochs: recorded.epochs } : answer
    }
    await tab.client.account.start()
    expect(await texts(tab, connectionId)).toEqual([expect.stringMatching(/the key of those hours has been destroyed/)])
  },
)

/** Opened on one device, at a time that can be set. */
async function createDevice(start: number) {
  const device = createMemoryDevice()
  const time = { now: start }
  const clock: Clock = { now: () => time.now, after: () => () => {} }
  const tabs = createTabs(device, () => {})
  return { time, open: () => openDestroyedEpochs({ device: { ...device }, tabs, clock }, 'me') }
}

test('what two tabs have destroyed is kept, also if both save at once', async () => {
  const { open } = await createDevice(10 * day)
  const [one, other] = [await open(), await open()]
  one.raise({ n: 3, createdAt: 3 * day })
  other.raise({ n: 5, createdAt: 5 * day })
  await Promise.all([other.save(), one.save()])
  expect((await open()).has({ n: 5, createdAt: 5 * day })).toBe(true)
})

test('a destroyed epoch dated ahead does not pass for a later one once its date has come', async () => {
  const { time, open } = await createDevice(10 * day)
  const ahead = { n: 5, createdAt: 13 * day }
  const before = await open()
  before.raise(ahead)
  await before.save()
  time.now = 13 * day + hour
  expect((await open()).has(ahead)).toBe(true)
})

test('an epoch dated ahead and destroyed elsewhere does not pass for a later one', async () => {
  const { time, open } = await createDevice(10 * day)
  const ahead = { n: 5, createdAt: 13 * day }
  const before = await open()
  before.addAhead([ahead])
  await before.save()
  expect(before.has(ahead)).toBe(false)
  const after = await open()
  after.raise({ n: 5, createdAt: 10 * day })
  await after.save()
  time.now = 13 * day + hour
  expect((await open()).has(ahead)).toBe(true)
})

test('another epoch of that number that was made later counts anew', async () => {
  const { time, open } = await createDevice(10 * day)
  const ahead = { n: 5, createdAt: 13 * day }
  const destroyed = await open()
  destroyed.raise(ahead)
  time.now = 13 * day + hour
  expect(destroyed.has({ n: 5, createdAt: 13 * day + 1 })).toBe(false)
})

test('an epoch dated ahead does not pass for a later one of a destroyed number', async () => {
  const { open } = await createDevice(10 * day)
  const destroyed = await open()
  destroyed.raise({ n: 5, createdAt: 5 * day })
  expect(destroyed.has({ n: 5, createdAt: 13 * day })).toBe(true)
})
