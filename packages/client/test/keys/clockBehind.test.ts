import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import { browserListed, keysFor } from '../support/browsers.ts'
import { createStage, type Person, reconnected, sentAll, type Stage, texts } from '../support/stage.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const newest = async ({ client }: Person) => (await client.call(keys.getOwn, { query: {} })).epochs.at(-1)

/** For ten minutes the server's clock is three days behind, and both sign in meanwhile: their browsers publish keys. */
async function fallBehind(stage: Stage, people: Person[]): Promise<void> {
  stage.server.clock.ahead = -3 * day
  for (const person of people) {
    const behind = await stage.signIn(person)
    await expect.poll(async () => (await newest(behind))?.startsAt).toBe(stage.server.clock.now() + 20 * 8 * hour)
  }
  for (let i = 0; i < 10; i++) await stage.advance(minute)
  stage.server.clock.ahead = 0
  for (let i = 0; i < 3; i++) await stage.advance(minute)
}

/** Two people whose browsers have published the keys of now a week ago, as they do from day to day. */
async function afterAWeek(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  for (let half = 0; half < 14; half++) {
    await stage.advance(12 * hour)
    for (const person of [anna, ben]) {
      await person.client.connections.list()
      await reconnected(stage, person)
    }
  }
  await anna.client.messages.send(connectionId, 'Sent before')
  await sentAll(anna)
  return { anna, ben, connectionId }
}

test('keys made while the clock was behind end no message early', { timeout: 60_000 }, async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await afterAWeek(stage)
  const sentAt = stage.server.clock.now()
  await fallBehind(stage, [anna, ben])
  for (const person of [anna, ben])
    expect(await texts(await stage.signIn(person), connectionId)).toEqual(['Sent before'])
  const tab = await stage.signIn(ben)
  await stage.advance(sentAt + day - minute - stage.server.clock.now())
  await tab.client.account.signIn(ben)
  expect(await texts(tab, connectionId)).toEqual(['Sent before'])
})

/** Closes Anna's browser for 8 hours, with "Only approved browsers". Returns a function that opens it in a new page. */
async function closeBrowser(stage: Stage) {
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  anna.client.close()
  await stage.advance(8 * hour)
  return async () => {
    const page = { ...anna, ...stage.tab(anna) }
    await page.client.account.start()
    return page
  }
}

test('epochs that were published while the clock was 10 hours ahead are replaced once', async () => {
  await using stage = await createStage()
  const open = await closeBrowser(stage)
  const isTooFar = async (page: Person) =>
    ((await newest(page))?.endsAt ?? 0) > stage.server.clock.even() + 7 * day + 5 * minute
  stage.server.clock.ahead = 10 * hour
  const ahead = await open()
  await expect.poll(() => isTooFar(ahead)).toBe(true)
  ahead.client.close()
  stage.server.clock.ahead = 0
  const page = await open()
  await expect.poll(() => isTooFar(page)).toBe(false)
  const publications = () => page.network.requests.filter(({ request }) => request === 'POST /api/keys/epochs')
  for (let times = 0; times < 3; times++) {
    await stage.advance(minute)
    // Publishes what is due.
    await page.client.browsers.setOnlyApproved(true)
  }
  expect(publications()).toHaveLength(1)
})

test('a browser renews its entry once for epochs that were published while the clock was ahead', async () => {
  await using stage = await createStage()
  const open = await closeBrowser(stage)
  const entryOf = async (page: Person) => (await keysFor(page)).browsers.own
  stage.server.clock.ahead = 3 * hour
  const ahead = await open()
  const isAhead = (entry = { createdAt: 0 }) => entry.createdAt > stage.server.clock.even() + 2 * hour
  await expect.poll(async () => isAhead(await entryOf(ahead))).toBe(true)
  ahead.client.close()
  const { n = 0 } = (await entryOf(ahead)) ?? {}
  stage.server.clock.ahead = 0
  const page = await open()
  await expect.poll(async () => (await entryOf(page))?.n).toBe(n + 1)
  for (let times = 0; times < 3; times++) {
    await stage.advance(minute)
    // Publishes what is due.
    await page.client.browsers.setOnlyApproved(true)
  }
  expect((await entryOf(page))?.n).toBe(n + 1)
})
