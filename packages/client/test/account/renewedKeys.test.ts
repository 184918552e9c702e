import type { BrowserLink } from '@privity/contract/browserKeys'
import { limits } from '@privity/contract/limits'
import { expect, test, vi } from 'vitest'
import { browserIdOf, browserListed, copyOf, keysFor } from '../support/browsers.ts'
import { replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, meetContacts, type Person, type Stage, sentAll, texts } from '../support/stage.ts'

vi.setConfig({ testTimeout: 60_000 })

const entryOf = async (person: Person) => (await keysFor(person)).browsers.own
const numberOf = async (person: Person) => (await entryOf(person))?.n ?? 0

/** The browser again, in a new page. */
async function open(stage: Stage, browser: Person, prepare: (page: Person) => void = () => {}) {
  const page = { ...browser, ...stage.tab(browser) }
  const alarms = collect(page, 'alarm')
  prepare(page)
  await page.client.account.signIn(browser)
  await meetContacts(page)
  await browserListed(page)
  return { page, alarms }
}

/** Lets this browser publish for the next time, which renews its keys. */
async function publish(stage: Stage, person: Person): Promise<void> {
  const before = await numberOf(person)
  await stage.advance(limits.epochDuration)
  await expect
    .poll(
      async () => {
        await stage.advance(60_000)
        return numberOf(person)
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeGreaterThan(before)
}

/** Anna with "Only approved browsers" in a laptop, and an approved phone that goes away. */
async function createScene(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const phone = await stage.signIn(anna)
  await browserListed(phone)
  await phone.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  async function send(text: string): Promise<void> {
    await ben.client.trust.state(connectionId)
    await ben.client.messages.send(connectionId, text)
    await sentAll(ben)
  }
  return { anna, phone, connectionId, send, alarms: collect(anna, 'alarm') }
}

const linkCalls = ({ network }: Person) => network.requests.filter(({ request }) => request.includes('/links'))

test('a browser that was away follows another one by its links, without an alarm', async () => {
  await using stage = await createStage()
  const { anna, phone, connectionId, send, alarms } = await createScene(stage)
  phone.client.close()
  for (let round = 0; round < 3; round++) await publish(stage, anna)
  await send('While away')
  const { page, alarms: seen } = await open(stage, phone)
  expect(await texts(page, connectionId)).toEqual(['While away'])
  await publish(stage, page)
  const { epochs } = await keysFor(anna)
  expect(epochs.every(({ sealedSeed }) => sealedSeed)).toBe(true)
  expect([...alarms, ...seen]).toEqual([])
  expect(linkCalls(page)).toHaveLength(1)
  expect(linkCalls(anna)).toEqual([])
})

const wrongs: ((links: BrowserLink[]) => BrowserLink[])[] = [
  (links) => links.slice(0, -2),
  (links) => links.slice(1),
  ([one, ...rest]) => [{ ...(one as BrowserLink), signature: rest[0]?.signature ?? '' }, ...rest],
  () => [],
]

test('links that are cut off, incomplete, broken or withheld get another browser no seed', async () => {
  await using stage = await createStage()
  const { anna, phone } = await createScene(stage)
  phone.client.close()
  for (let round = 0; round < 3; round++) await publish(stage, anna)
  anna.client.close()
  let change = wrongs[0] as (typeof wrongs)[number]
  const { page, alarms } = await open(stage, phone, ({ network }) => {
    network.tampers = (request, answer) => (request.includes('/links') ? change(answer as BrowserLink[]) : answer)
  })
  for (const wrong of wrongs) {
    change = wrong
    await publish(stage, page)
    expect((await keysFor(anna)).epochs.at(-1)?.sealedSeed, String(wrong)).toBeUndefined()
  }
  expect(new Set(alarms.map(({ code }) => code))).toEqual(new Set(['BROWSERS_ALTERED']))
  page.network.tampers = undefined
  await publish(stage, page)
  expect((await keysFor(anna)).epochs.at(-1)?.sealedSeed).toBeDefined()
})

test('a browser follows another one across new keys', async () => {
  await using stage = await createStage()
  const { anna, phone, alarms } = await createScene(stage)
  await publish(stage, anna)
  phone.client.close()
  for (let round = 0; round < 2; round++) await publish(stage, anna)
  const [before, id] = [await entryOf(anna), await browserIdOf(anna, anna)]
  await replaceKeys(anna)
  await publish(stage, anna)
  expect(await browserIdOf(anna, anna)).toBe(id)
  expect(await numberOf(anna)).toBeGreaterThan((before?.n ?? 0) + 1)
  const { page, alarms: seen } = await open(stage, { ...phone, password: anna.password })
  expect(linkCalls(page).length).toBeGreaterThan(0)
  expect((await page.client.browsers.list()).browsers).toHaveLength(2)
  expect([...alarms, ...seen].filter(({ code }) => code === 'BROWSERS_ALTERED' || code === 'BROWSER_COPIED')).toEqual(
    [],
  )
})

test.each(['the answer', 'the call'])('a browser whose page ends once %s is lost goes on', async (what) => {
  await using stage = await createStage()
  const { anna, connectionId, send } = await createScene(stage)
  await send('Before')
  const before = await numberOf(anna)
  let lost = 0
  const isPublication = (request: string) => /^(PUT \/api\/browsers\/own|POST \/api\/keys\/epochs)/.test(request)
  const lose = (request: string) => isPublication(request) && (lost += 1) > 0
  if (what === 'the answer') anna.network.loses = lose
  else anna.network.answers = (request) => (lose(request) ? new Response('{}', { status: 503 }) : undefined)
  await stage.advance(limits.epochDuration)
  await expect
    .poll(
      async () => {
        await stage.advance(60_000)
        return lost
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeGreaterThan(0)
  anna.client.close()
  const copy = await copyOf(anna)
  const { page, alarms } = await open(stage, anna)
  await publish(stage, page)
  expect(await browserIdOf(page, anna)).toBe(await browserIdOf(copy, anna))
  expect((await keysFor(page)).browsers).toMatchObject({ isApproved: true, isBound: true })
  expect(await numberOf(page)).toBeGreaterThan(before)
  expect(await texts(page, connectionId)).toEqual(['Before'])
  expect(alarms).toEqual([])
})

test('two tabs that publish at once, and a lock in the middle, leave the browser its keys', async () => {
  await using stage = await createStage()
  const { anna, connectionId, send } = await createScene(stage)
  const id = await browserIdOf(anna, anna)
  const second = { ...anna, ...stage.tab(anna) }
  const alarms = [collect(anna, 'alarm'), collect(second, 'alarm')]
  await second.client.account.start()
  await meetContacts(second)
  await publish(stage, second)
  await stage.advance(limits.epochDuration)
  // The lock stops what is under way.
  const visiting = anna.client.browsers.setOnlyApproved(true).catch(() => {})
  await Promise.all([visiting, second.client.account.lock()])
  await second.client.account.unlock(anna.password)
  await browserListed(second)
  await publish(stage, second)
  expect(await browserIdOf(second, anna)).toBe(id)
  expect((await keysFor(second)).browsers).toMatchObject({ isApproved: true, isBound: true })
  await send('After')
  expect(await texts(second, connectionId)).toEqual(['After'])
  expect(alarms.flat()).toEqual([])
})

test('a browser that makes new keys just after it was listed raises no alarm in another', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const before = await browserIdOf(anna, anna)
  const phone = await stage.signIn(anna)
  await browserListed(phone)
  await replaceKeys(anna)
  await browserListed(anna)
  const { page, alarms } = await open(stage, { ...phone, password: anna.password })
  expect((await page.client.browsers.list()).browsers).toHaveLength(2)
  expect(alarms).toEqual([])
  // No number of an id is listed under two identity keys.
  expect(await browserIdOf(anna, anna)).not.toBe(before)
})
