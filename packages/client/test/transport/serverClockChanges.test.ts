import { expect, test } from 'vitest'
import type { config } from '@privity/contract/config'
import type { Result } from '@privity/contract/endpoint'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import {
  collect,
  connected,
  createStage,
  next,
  reaches,
  type Person,
  reconnected,
  sentAll,
  type Stage,
  textOf,
  texts,
} from '../support/stage.ts'
import { accept, replaceKeys } from '../support/keyRotation.ts'

const minute = 60_000
const year = 365 * 24 * 60 * minute

const epochsOf = async ({ client }: Person) => (await client.call(keys.getOwn, { query: {} })).epochs.map(({ n }) => n)

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

async function say(from: Person, to: Person, connectionId: string, text: string): Promise<void> {
  const heard = next(to, 'message')
  await from.client.messages.send(connectionId, text)
  expect(textOf(await heard)).toBe(text)
  await sentAll(from)
}

/** Anna and Ben have begun while the server was ahead by a year; then its clock is put right. */
async function putRight(stage: Stage) {
  stage.server.clock.ahead = year
  const { anna, ben, connectionId } = await stage.pair()
  await say(anna, ben, connectionId, 'While it was ahead')
  const alarms = [collect(anna, 'alarm'), collect(ben, 'alarm')]
  stage.server.clock.ahead = 0
  return { anna, ben, connectionId, alarms }
}

test('browsers that are open when a server that was ahead is put right go on, both ways', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, alarms } = await putRight(stage)
  const gone = [collect(anna, 'expired'), collect(ben, 'expired')]
  await say(anna, ben, connectionId, 'From Anna')
  await say(ben, anna, connectionId, 'From Ben')
  for (const person of [anna, ben]) {
    expect(person.client.now()).toBe(stage.server.clock.now())
    expect(await texts(person, connectionId)).toEqual(['While it was ahead', 'From Anna', 'From Ben'])
  }
  expect(gone.flat()).toEqual([])
  expect(alarms.flat()).toEqual([])
})

test('an epoch that was dated ahead is replaced, and every browser of the account takes the next', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, alarms } = await putRight(stage)
  const [reloaded, fresh] = [stage.tab(anna), await stage.signIn(anna)]
  await reloaded.client.account.start()
  await stage.advance(2 * minute)
  await expect.poll(() => epochsOf(anna)).toEqual([1, ...numbers(22, 42)])
  await say(ben, anna, connectionId, 'From Ben')
  for (const tab of [anna, reloaded, fresh, ben])
    expect(await texts(tab, connectionId)).toEqual(['While it was ahead', 'From Ben'])
  expect(alarms.flat()).toEqual([])
})

test('keys made before, during and after a clock was ahead form one chain until the old expire', async () => {
  await using stage = await createStage()
  const before = await stage.signUp('anna')
  await expect.poll(() => epochsOf(before)).toEqual(numbers(1, 21))
  stage.server.clock.ahead = year
  const during = await stage.signIn(before)
  await expect.poll(async () => (await epochsOf(during)).at(-1)).toBe(42)
  stage.server.clock.ahead = 0
  const after = await stage.signIn(before)
  const alarms = collect(after, 'alarm')
  await expect.poll(() => epochsOf(after)).toEqual([1, ...numbers(43, 63)])
  for (const hours of [12, 11.9]) {
    await stage.advance(hours * 60 * minute)
    await after.client.connections.list()
    await reconnected(stage, after)
  }
  expect((await epochsOf(after))[0]).toBe(1)
  await stage.advance(10 * minute)
  expect((await epochsOf(await stage.signIn(before)))[0]).toBe(43)
  expect(alarms).toEqual([])
})

test('keys can be replaced after a compromise as soon as the clock that was ahead is put right', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await putRight(stage)
  await replaceKeys(anna)
  await accept(ben, connectionId)
  await reconnected(stage, anna)
  await say(ben, anna, connectionId, 'Under new keys')
  const fresh = await stage.signIn(anna)
  expect(await texts(fresh, connectionId)).toEqual(['While it was ahead', 'Under new keys'])
})

test('a message whose new keys a clock put right just then refuses is sent with the right time', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const publishing = 'POST /api/keys/epochs'
  const refuse = (request: string) =>
    request === publishing
      ? Response.json({ error: 'No.', code: 'UNAVAILABLE', message: 'No.' }, { status: 503 })
      : undefined
  anna.network.answers = refuse
  for (let hours = 0; hours < 8 * 24; hours += 12) {
    await stage.advance(12 * 60 * minute)
    for (const person of [anna, ben]) {
      await reconnected(stage, person)
      await person.client.connections.list()
    }
  }
  anna.client.close()
  stage.server.clock.ahead = 60 * minute
  const tab = stage.tab(anna)
  tab.network.answers = refuse
  await tab.client.account.start()
  await connected(tab)
  expect(tab.client.now()).toBe(stage.server.clock.now())
  tab.network.answers = (request) => {
    if (request === publishing) stage.server.clock.ahead = 0
    return undefined
  }
  await tab.client.messages.send(connectionId, 'At last')
  expect(await reaches(tab.client.outbox, ([item]) => !item || item.state === 'failed')).toEqual([])
  expect((await texts(ben, connectionId)).at(-1)).toBe('At last')
})

test('a server that tells a longer lifetime makes no text wait longer than 24 hours', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  tab.network.tampers = (request, answer) =>
    request === 'GET /api/config' ? { ...(answer as Result<typeof config.get>), retention: year } : answer
  await tab.client.account.start()
  await connected(tab)
  // The outbox is shared: this tab knows how long messages are kept.
  anna.client.close()
  tab.network.offline = true
  await tab.client.messages.send(connectionId, 'Meet me in an hour')
  await reaches(tab.client.outbox, ([item]) => item?.state === 'waiting')
  await stage.advance(limits.retention + 1)
  const [item] = await reaches(tab.client.outbox, ([each]) => each?.state === 'failed')
  expect(item?.error).toMatch(/longer than messages are kept/)
})

test('a server clock more than ten minutes from the one of the device is said, until they agree', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  expect(anna.client.clockDiffers.get()).toBe(false)
  for (const [ahead, differs] of [
    [10 * minute, false],
    [-10 * minute - 1, true],
    [0, false],
    [10 * minute + 1, true],
  ] as const) {
    stage.server.clock.ahead = ahead
    const { client } = await stage.signIn(anna)
    expect([ahead, client.clockDiffers.get()]).toEqual([ahead, differs])
  }
})
