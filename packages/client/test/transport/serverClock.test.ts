import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/index.ts'
import { createServerClock } from '../../src/transport/serverClock.ts'
import { createDeviceClock } from '../support/deviceClock.ts'
import {
  collect,
  connected,
  createStage,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  texts,
  meetContacts,
} from '../support/stage.ts'

const hour = 60 * 60 * 1000

/** A device whose steady clock may stand still while it sleeps, and the server it asks. */
function at(start: number, serverStart = start) {
  let [wall, steady, server] = [start, 7, serverStart]
  const jumps: number[] = []
  let ask = () => Promise.resolve(server)
  const device = { now: () => wall, steady: () => steady, after: () => () => {} }
  const clock = createServerClock(device, {
    ask: () => ask(),
    onCorrection: (correctionMs) => void jumps.push(correctionMs),
  })
  const pass = (milliseconds: number, stopped = false) => {
    wall += milliseconds
    server += milliseconds
    if (!stopped) steady += milliseconds
  }
  return {
    clock,
    jumps,
    pass,
    set: (by: number) => void (wall += by),
    answers: (next: () => Promise<number>) => void (ask = next),
    server: () => server,
  }
}

test('a device whose clock is wrong goes by the server, half of the way taken off', async () => {
  const { clock, pass, answers, server } = at(5_000_000, 1_000_000)
  answers(async () => {
    const now = server()
    pass(200)
    return now
  })
  await clock.synchronize()
  expect(clock.now()).toBe(1_000_100)
})

test('a device whose clock is right keeps it, however slow the answer', async () => {
  const { clock, pass, answers } = at(1_000_000)
  answers(async () => {
    pass(3_000)
    return 1_000_500
  })
  await clock.synchronize()
  expect(clock.now()).toBe(1_003_000)
})

test('a device that slept while the answer was on its way does not jump ahead', async () => {
  for (const stopped of [false, true]) {
    const { clock, pass, answers, server } = at(1_000_000)
    await clock.synchronize()
    let asked = 0
    answers(async () => {
      if (++asked === 1) pass(12 * hour, stopped)
      return server()
    })
    await clock.synchronize()
    expect(clock.now()).toBe(1_000_000 + 12 * hour)
  }
})

test('a clock that is set while the page is open changes nothing, and the server is asked', async () => {
  for (const by of [25 * hour, -25 * hour, 6_000]) {
    const { clock, set, pass, jumps } = at(1_000_000)
    await clock.synchronize()
    set(by)
    pass(1_000)
    expect(clock.now()).toBe(1_001_000)
    expect(clock.isSynchronized()).toBe(false)
    clock.check()
    await expect.poll(clock.isSynchronized).toBe(true)
    expect(clock.now()).toBe(1_001_000)
    expect(jumps).toEqual([0, 0])
  }
})

test('after sleep the server is asked for the time, and offline the wall clock counts', async () => {
  const { clock, pass, answers, server, jumps } = at(1_000_000)
  await clock.synchronize()
  pass(12 * hour, true)
  expect(clock.now()).toBe(1_000_000)
  answers(() => Promise.reject(new Error('offline')))
  await expect(clock.synchronize()).rejects.toThrow('offline')
  expect(clock.now()).toBe(1_000_000 + 12 * hour)
  expect(clock.isSynchronized()).toBe(false)
  answers(() => Promise.resolve(server()))
  await clock.synchronize()
  expect(clock.now()).toBe(1_000_000 + 12 * hour)
  expect(clock.isSynchronized()).toBe(true)
  expect(jumps).toEqual([0, 12 * hour, 0])
})

test('before the server was asked nothing is sure', () => {
  const { clock, pass } = at(1_000_000)
  pass(5_000)
  expect(clock.now()).toBe(1_005_000)
  expect(clock.isSynchronized()).toBe(false)
})

/** Another browser of this person, whose clock is wrong by `wrong.by`. */
async function wronglyTimed(stage: Stage, person: Person, wrong: { by: number }) {
  const device = createDeviceClock(() => stage.server.clock.now())
  const clock: Clock = { ...device, now: () => device.now() + wrong.by, steady: device.now }
  const tab = stage.tab(undefined, { clock })
  await tab.client.account.signIn(person)
  await connected(tab)
  await meetContacts(tab)
  return { ...tab, wake: device.wake }
}

test('correcting the clock by a day hides no message and stops none', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (const by of [-25 * hour, 25 * hour]) {
    const wrong = { by }
    const tab = await wronglyTimed(stage, anna, wrong)
    await ben.client.messages.send(connectionId, `Before ${by}`)
    await sentAll(ben)
    const before = await texts(tab, connectionId)
    const gone = collect(tab, 'expired')
    wrong.by = 0
    expect(tab.client.now()).toBe(stage.server.clock.now())
    tab.wake()
    expect(await texts(tab, connectionId)).toEqual(before)
    const messages = await tab.client.messages.list(connectionId)
    expect(messages.every(({ expiresAt }) => expiresAt > tab.client.now())).toBe(true)
    await tab.client.messages.send(connectionId, `After ${by}`)
    await sentAll(tab)
    expect(gone).toEqual([])
  }
  expect(await texts(ben, connectionId)).toHaveLength(4)
})

test('messages go out under the published epochs while the server takes no new ones, for a week', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (const { client } of [anna, ben])
    await expect.poll(async () => (await client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  const refused: string[] = []
  const refuse = (code: string, status: number) => (request: string) => {
    if (request !== 'POST /api/keys/epochs') return undefined
    refused.push(code)
    return Response.json({ error: 'No.', code, message: 'No.' }, { status })
  }
  const days = async (count: number) => {
    // Sessions that nobody uses for a day end.
    for (let half = 0; half < 2 * count; half++) {
      await stage.advance(12 * hour)
      for (const person of [anna, ben]) {
        await reconnected(stage, person)
        await person.client.connections.list()
      }
    }
  }
  anna.network.answers = refuse('INVALID_INPUT', 400)
  await days(1)
  await anna.client.messages.send(connectionId, 'Refused')
  await sentAll(anna)
  anna.network.answers = refuse('UNAVAILABLE', 503)
  await days(5.5)
  await anna.client.messages.send(connectionId, 'Unavailable')
  await sentAll(anna)
  expect(new Set(refused)).toEqual(new Set(['INVALID_INPUT', 'UNAVAILABLE']))
  expect((await texts(ben, connectionId)).at(-1)).toBe('Unavailable')

  await days(1)
  anna.network.answers = refuse('INVALID_INPUT', 400)
  await anna.client.messages.send(connectionId, 'Too late')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  expect(await texts(ben, connectionId)).not.toContain('Too late')
})
