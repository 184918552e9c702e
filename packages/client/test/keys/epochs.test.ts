import { expect, test } from 'vitest'
import { keys, type OwnKeys } from '@privity/contract/keys'
import type { Message } from '@privity/contract/messages'
import { createStage, next, type Person, reconnected, sentAll, type Stage, type Tab, texts } from '../support/stage.ts'

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

const ownKeys = (person: Person): Promise<OwnKeys> => person.client.call(keys.getOwn, { query: {} })

/** Recorded messages as a server would give them back that wants them shown: stored just now. */
const redate = (messages: Message[], { client }: Tab) =>
  messages.map((message) => ({ ...message, createdAt: client.now(), expiresAt: client.now() + day }))

const gone = /the key of those hours has been destroyed/

const publications = ({ network }: Person) =>
  network.requests.filter(({ request }) => request === 'POST /api/keys/epochs')

/** Once this person's newest epoch is number `n`. */
const publishes = (person: Person, n: number) => expect.poll(async () => (await epochsOf(person)).at(-1)).toBe(n)

const epochsOf = async (person: Person) => (await ownKeys(person)).epochs.map(({ n }) => n)

test('the epochs of 7 days are published directly after sign-up, in one call', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await publishes(anna, 21)
  expect(publications(anna)).toHaveLength(1)
  const { epochs } = await ownKeys(anna)
  expect(epochs.map(({ n }) => n)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
  expect(epochs.at(-1)?.endsAt).toBe((epochs[0]?.createdAt ?? 0) + 7 * day)
})

test('as many follow as have begun since, and nothing is called where none is missing', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await publishes(anna, 21)
  await live(stage, [anna], 8 * hour - 1_000)
  await stage.advance(500)
  expect(publications(anna)).toHaveLength(1)
  await live(stage, [anna], 2 * 60_000)
  await publishes(anna, 22)
  expect(publications(anna)).toHaveLength(2)
  await stage.advance(23 * hour)
  await publishes(anna, 24)
  expect(publications(anna)).toHaveLength(3)
})

test('two browsers publish each epoch once between them', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const elsewhere = await stage.signIn(anna)
  await live(stage, [anna, elsewhere], day + 60_000)
  await publishes(anna, 24)
  await live(stage, [anna, elsewhere], 60_000)
  const numbers = await epochsOf(anna)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => (numbers[0] ?? 0) + i))
})

test('messages go on under the next epochs, both ways and in a browser that was away', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Under the first')
  await sentAll(anna)
  await live(stage, [anna, ben], day - 5 * 60_000)
  await anna.client.messages.send(connectionId, 'Under the third')
  await sentAll(anna)
  await live(stage, [anna, ben], 10 * 60_000)
  await anna.client.messages.send(connectionId, 'Under the fourth')
  await sentAll(anna)
  await ben.client.messages.send(connectionId, 'Back')
  await sentAll(ben)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual(['Under the third', 'Under the fourth', 'Back'])
})

test('a sender goes on to the epoch whose time it is without being refused or told', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await publishes(ben, 21)
  await anna.client.messages.send(connectionId, 'First')
  await sentAll(anna)
  await anna.client.connections.list()
  await stage.advance(9 * hour)
  await reconnected(stage, anna)
  const refusals: unknown[] = []
  anna.network.tampers = (request, answer) => {
    if (request === 'POST /api/messages') refusals.push((answer as { code?: string }).code)
    return answer
  }
  await anna.client.messages.send(connectionId, 'Second')
  await sentAll(anna)
  expect(refusals).toEqual([undefined])
  expect(await texts(ben, connectionId)).toEqual(['First', 'Second'])
  const used = 'select epoch_from, epoch_to from envelopes order by created_at'
  expect(await stage.server.core.db.read.all(used)).toEqual([
    { epoch_from: 1, epoch_to: 1 },
    { epoch_from: 2, epoch_to: 2 },
  ])
})

test('24 hours after an epoch has ended its seed is destroyed and opens nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Recorded')
  await sentAll(anna)
  let recorded: Message[] = []
  ben.network.tampers = (request, answer) => {
    if (request.endsWith('/messages')) recorded = answer as Message[]
    return answer
  }
  expect(await texts(ben, connectionId)).toEqual(['Recorded'])
  ben.network.tampers = undefined
  await live(stage, [anna, ben], 8 * hour + day - 60_000)
  expect((await epochsOf(ben))[0]).toBe(1)
  await live(stage, [anna, ben], 2 * 60_000)
  expect((await epochsOf(ben))[0]).toBe(2)
  const elsewhere = await stage.signIn(ben)
  for (const tab of [ben, elsewhere]) {
    tab.network.tampers = (request, answer) => (request.endsWith('/messages') ? redate(recorded, tab) : answer)
    expect(await texts(tab, connectionId)).toEqual([expect.stringMatching(gone)])
  }
})

test("older keys of one's own that the server brings back are an alarm", async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await expect.poll(() => anna.device.get(`seen/${anna.user.id}`)).toMatchObject({ epoch: 21 })
  const tab = stage.tab(anna)
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const { epochs, ...rest } = answer as OwnKeys
    return { ...rest, epochs: epochs.slice(0, 1) }
  }
  await tab.client.account.start()
  expect((await next(tab, 'alarm')).sentence).toMatch(/older keys of your account/)
})

test('keys that another tab has published while an answer was on its way are no alarm', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await expect.poll(() => anna.device.get(`seen/${anna.user.id}`)).toMatchObject({ epoch: 21 })
  const tab = stage.tab(anna)
  let answers = 0
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const { epochs, ...rest } = answer as OwnKeys
    answers += 1
    return answers === 1 ? { ...rest, epochs: epochs.slice(0, 1) } : answer
  }
  let alarms = 0
  tab.client.on('alarm', () => void (alarms += 1))
  await tab.client.account.start()
  expect([answers, alarms]).toEqual([2, 0])
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
  let messages: Message[] = []
  ben.network.tampers = (request, answer) => {
    if (request.endsWith('/messages')) messages = answer as Message[]
    return answer
  }
  expect(await texts(ben, connectionId)).toEqual(['Recorded'])
  ben.network.tampers = undefined
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 24)
  const { epochs: recorded } = await ownKeys(ben)
  const now = stage.server.clock.now()
  await live(stage, [anna, ben], day + 60_000)
  await publishes(ben, 27)
  await stage.advance(2 * 60_000)
  expect((await epochsOf(ben))[0]).toBe(4)
  /** Brings back in this tab what was destroyed; `changes` what else the server says. */
  const bringBack = (tab: Tab, changes: (request: string, answer: object) => object = (_request, answer) => answer) =>
    void (tab.network.tampers = (request, answer) => {
      if (request.endsWith('/messages')) return redate(messages, tab)
      if (request !== 'GET /api/keys') return changes(request, answer as object)
      const keysNow = answer as OwnKeys
      return { ...keysNow, epochs: [...recorded, ...keysNow.epochs.filter(({ n }) => n > 24)] }
    })
  return { anna, ben, connectionId, bringBack, recordedAt: now }
}

test('a destroyed seed stays so although the server returns it with the time of then', async () => {
  await using stage = await createStage()
  const { ben, connectionId, bringBack, recordedAt } = await twoDaysOn(stage)
  bringBack(ben)
  await ben.client.call(keys.getOwn, { query: {} })
  expect(await texts(ben, connectionId)).toEqual([expect.stringMatching(gone)])
  const reloaded = stage.tab(ben)
  const told = (request: string, answer: object) =>
    request === 'GET /api/config' ? { ...answer, now: recordedAt } : answer
  bringBack(reloaded, told)
  await reloaded.client.account.start()
  expect(reloaded.client.now()).toBe(recordedAt)
  expect(await texts(reloaded, connectionId)).toEqual([expect.stringMatching(gone)])
})

test('a seed is due by the signed end of its epoch, also where the server still gives it', async () => {
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
  await publishes(ben, 21)
  await anna.client.messages.send(connectionId, 'Sealed to the first')
  await sentAll(anna)
  await live(stage, [anna, ben], 9 * hour)
  const without = stage.tab(ben)
  without.network.tampers = (request, answer) =>
    request === 'GET /api/keys' ? { ...(answer as OwnKeys), epochs: (answer as OwnKeys).epochs.slice(1) } : answer
  await without.client.account.start()
  const again = stage.tab(ben)
  await again.client.account.start()
  expect((await epochsOf(ben))[0]).toBe(1)
  expect(await texts(again, connectionId)).toEqual([expect.stringMatching(gone)])
})

/** Returns a function that puts back the person's epochs as they are now. */
async function backUpEpochs({ server }: Stage, { user }: Person): Promise<() => Promise<void>> {
  const { db } = server.core
  const rows = await db.read.all<Record<string, string | number | null>>('select * from epochs where user_id = ?', [
    user.id,
  ])
  return () =>
    db.write(async (tx) => {
      await tx.run('delete from epochs where user_id = ?', [user.id])
      for (const row of rows) {
        const names = Object.keys(row)
        const values = names.map(() => '?').join(', ')
        await tx.run(`insert into epochs (${names.join(', ')}) values (${values})`, Object.values(row))
      }
    })
}

test('after a restored backup browsers that have destroyed later seeds go on under new ones', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const elsewhere = await stage.signIn(ben)
  await publishes(ben, 21)
  const restore = await backUpEpochs(stage, ben)
  await live(stage, [anna, ben, elsewhere], 10 * day)
  // Browsers look once a minute for epochs that are missing.
  const newestSoon = async () => {
    await stage.advance(60_000)
    return (await epochsOf(ben)).at(-1)
  }
  await expect.poll(newestSoon).toBe(51)
  await restore()
  const [reloaded, other] = [stage.tab(ben), stage.tab(elsewhere)]
  await reloaded.client.account.start()
  expect((await next(reloaded, 'alarm')).sentence).toMatch(/older keys of your account/)
  await publishes(ben, 42)
  await other.client.account.start()
  expect((await epochsOf(ben)).at(-1)).toBe(42)
  await reloaded.client.messages.send(connectionId, 'After the restore')
  await expect.poll(async () => (await texts(reloaded, connectionId)).at(-1)).toBe('After the restore')
  expect((await texts(other, connectionId)).at(-1)).toBe('After the restore')
})
