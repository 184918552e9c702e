import { expect, test } from 'vitest'
import { keys, type OwnKeys } from '@privity/contract/keys'
import {
  collect,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  type Tab,
  texts,
} from '../support/stage.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** The socket keeps no session alive; a call every twelve hours does, as a person's use would. */
async function live(stage: Stage, people: Person[], milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 12 * hour) {
    await stage.advance(Math.min(left, 12 * hour))
    for (const { client } of people) await client.connections.list()
    for (const person of people) await reconnected(stage, person)
  }
}

const ownKeys = (person: Person): Promise<OwnKeys> => person.client.call(keys.getOwn, {})

/** Once this person's newest epoch is number `n`. */
const publishes = (person: Person, n: number) => expect.poll(async () => (await epochsOf(person)).at(-1)).toBe(n)

const epochsOf = async (person: Person) => (await ownKeys(person)).epochs.map(({ n }) => n)

test('the next epoch is published when the newest is over 24 hours old, and only then', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await live(stage, [anna], day - 10 * 60_000)
  expect(await epochsOf(anna)).toEqual([1])
  await live(stage, [anna], 11 * 60_000)
  await publishes(anna, 2)
})

test('two browsers publish one epoch between them', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const elsewhere = await stage.signIn(anna)
  await live(stage, [anna, elsewhere], day + 60_000)
  await publishes(anna, 2)
  await live(stage, [anna, elsewhere], 60_000)
  expect(await epochsOf(anna)).toEqual([1, 2])
})

test('messages go on under the new epochs, both ways and in a browser that was away', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Under the first')
  await sentAll(anna)
  await live(stage, [anna, ben], day - 5 * 60_000)
  await anna.client.messages.send(connectionId, 'Late under the first')
  await sentAll(anna)
  await live(stage, [anna, ben], 10 * 60_000)
  await anna.client.messages.send(connectionId, 'Under the second')
  await sentAll(anna)
  await ben.client.messages.send(connectionId, 'Back')
  await sentAll(ben)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual([
    'Late under the first',
    'Under the second',
    'Back',
  ])
})

test('a sender who did not hear of a new epoch seals the message again, and it is stored once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'First')
  await sentAll(anna)
  anna.network.deaf = true
  await reaches(anna.client.live, (state) => state === 'disconnected')
  await live(stage, [ben], 12 * hour)
  await anna.client.connections.list()
  await live(stage, [ben], 12 * hour + 60_000)
  await publishes(ben, 2)

  const refusals: unknown[] = []
  anna.network.tampers = (request, answer) => {
    if (request === 'POST /api/messages') refusals.push((answer as { code?: string }).code)
    return answer
  }
  const told = collect(anna, 'message')
  await anna.client.messages.send(connectionId, 'Second')
  await sentAll(anna)
  expect(refusals).toEqual(['EPOCH_SUPERSEDED', undefined])
  expect(told).toHaveLength(1)
  expect(await texts(ben, connectionId)).toEqual(['Second'])
})

test('24 hours after an epoch is superseded its seed is destroyed and opens nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Recorded')
  await sentAll(anna)
  let recorded: unknown
  ben.network.tampers = (request, answer) => {
    if (request.endsWith('/messages')) recorded = answer
    return answer
  }
  expect(await texts(ben, connectionId)).toEqual(['Recorded'])
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 2)
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 3)
  await stage.advance(2 * 60_000)
  await publishes(ben, 3)
  expect(await epochsOf(ben)).toEqual([2, 3])
  const elsewhere = await stage.signIn(ben)
  for (const tab of [ben, elsewhere]) {
    tab.network.tampers = (request, answer) => (request.endsWith('/messages') ? recorded : answer)
    expect(await texts(tab, connectionId)).toEqual([expect.stringMatching(/the key of that day has been destroyed/)])
  }
})

test("older keys of one's own that the server brings back are an alarm", async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await live(stage, [anna], day + 60_000)
  await expect.poll(() => anna.device.get(`seen/${anna.user.id}`)).toMatchObject({ epoch: 2 })
  const tab = stage.tab(anna)
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const { epochs, ...rest } = answer as OwnKeys
    return { ...rest, epochs: epochs.slice(0, 1) }
  }
  await tab.client.account.start()
  expect((await next(tab, 'alarm')).sentence).toMatch(/older keys of your account/)
})

test('an own epoch that was not signed by the own identity is an alarm, and nothing opens', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const foreign = (await ownKeys(ben)).epochs[0]
  const tab = stage.tab(anna)
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const own = answer as OwnKeys
    return { ...own, epochs: own.epochs.map((epoch) => ({ ...epoch, publicKey: foreign?.publicKey })) }
  }
  await expect(tab.client.account.start()).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect((await next(tab, 'alarm')).sentence).toMatch(/different keys for your account/)
})

/** Two days on, with what the server gave Ben on the first: the epochs of then and a message sealed to one. */
async function twoDaysOn(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Recorded')
  await sentAll(anna)
  let messages: unknown
  ben.network.tampers = (request, answer) => {
    if (request.endsWith('/messages')) messages = answer
    return answer
  }
  expect(await texts(ben, connectionId)).toEqual(['Recorded'])
  ben.network.tampers = undefined
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 2)
  const { epochs: recorded } = await ownKeys(ben)
  const now = stage.server.clock.now()
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 3)
  await stage.advance(2 * 60_000)
  expect(await epochsOf(ben)).toEqual([2, 3])
  /** Brings back in this tab what was destroyed; `changes` what else the server says. */
  const bringBack = (tab: Tab, changes: (request: string, answer: object) => object = (_request, answer) => answer) =>
    void (tab.network.tampers = (request, answer) => {
      if (request.endsWith('/messages')) return messages
      if (request !== 'GET /api/keys') return changes(request, answer as object)
      const keysNow = answer as OwnKeys
      return { ...keysNow, epochs: [...recorded, ...keysNow.epochs.filter(({ n }) => n > 2)] }
    })
  return { anna, ben, connectionId, bringBack, recordedAt: now }
}

const gone = /the key of that day has been destroyed/

test('a destroyed seed stays so although the server returns it with the time of then', async () => {
  await using stage = await createStage()
  const { ben, connectionId, bringBack, recordedAt } = await twoDaysOn(stage)
  bringBack(ben)
  await ben.client.call(keys.getOwn, {})
  expect(await texts(ben, connectionId)).toEqual([expect.stringMatching(gone)])
  const reloaded = stage.tab(ben)
  const told = (request: string, answer: object) =>
    request === 'GET /api/config' ? { ...answer, now: recordedAt } : answer
  bringBack(reloaded, told)
  await reloaded.client.account.start()
  expect(reloaded.client.now()).toBe(recordedAt)
  expect(await texts(reloaded, connectionId)).toEqual([expect.stringMatching(gone)])
})

test('a seed is due by the signed date of the next one, also where the server still gives it', async () => {
  await using stage = await createStage()
  const { ben, connectionId, bringBack } = await twoDaysOn(stage)
  const fresh = stage.tab()
  bringBack(fresh)
  await fresh.client.account.signIn(ben)
  expect(await texts(fresh, connectionId)).toEqual([expect.stringMatching(gone)])
})

test('a seed that the server gives no more does not come back when it does again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Sealed to the first')
  await sentAll(anna)
  await live(stage, [anna, ben], day - 60_000)
  await anna.client.messages.send(connectionId, 'Late under the first')
  await sentAll(anna)
  await live(stage, [anna, ben], 2 * 60_000)
  await publishes(ben, 2)
  const without = stage.tab(ben)
  without.network.tampers = (request, answer) =>
    request === 'GET /api/keys' ? { ...(answer as OwnKeys), epochs: (answer as OwnKeys).epochs.slice(1) } : answer
  await without.client.account.start()
  const again = stage.tab(ben)
  await again.client.account.start()
  expect(await epochsOf(ben)).toEqual([1, 2])
  expect(await texts(again, connectionId)).toEqual([expect.stringMatching(gone)])
})

test('after a restored backup browsers that have destroyed later seeds go on under new ones', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const elsewhere = await stage.signIn(ben)
  const { db } = stage.server.core
  const [backup] = await db.read.all<Record<string, unknown>>('select * from epochs where user_id = ?', [ben.user.id])
  for (const n of [2, 3, 4]) {
    await live(stage, [anna, ben, elsewhere], day + 60_000)
    await publishes(ben, n)
  }
  await db.write(async (tx) => {
    await tx.run('delete from epochs where user_id = ?', [ben.user.id])
    const names = Object.keys(backup ?? {})
    await tx.run(
      `insert into epochs (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
      Object.values(backup ?? {}) as string[],
    )
  })
  const [reloaded, other] = [stage.tab(ben), stage.tab(elsewhere)]
  await reloaded.client.account.start()
  expect((await next(reloaded, 'alarm')).sentence).toMatch(/older keys of your account/)
  await publishes(ben, 2)
  await other.client.account.start()
  // A contact has seen later epochs, too: it takes no older one, and says so.
  const { epochs } = await ownKeys(ben)
  expect(epochs.map(({ n }) => n)).toEqual([1, 2])
  await reloaded.client.messages.send(connectionId, 'After the restore')
  await expect.poll(async () => (await texts(reloaded, connectionId)).at(-1)).toBe('After the restore')
  expect((await texts(other, connectionId)).at(-1)).toBe('After the restore')
})
