import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { expect, test } from 'vitest'
import { browserIdOf, browserListed, copyOf, keysFor } from '../support/browsers.ts'
import { collect, createStage, next, type Person, sentAll, type Stage, texts } from '../support/stage.ts'

/** A browser of Ben in this mode, a message for it, and a copy of all that it keeps, its cookies included. */
async function begin(stage: Stage, { onlyApproved }: { onlyApproved: boolean }) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(ben)
  if (onlyApproved) await ben.client.browsers.setOnlyApproved(true)
  async function send(text: string): Promise<void> {
    await anna.client.trust.state(connectionId)
    await anna.client.messages.send(connectionId, text)
    await sentAll(anna)
  }
  await send('Before')
  return { ben, connectionId, send, copy: await copyOf(ben) }
}

async function open(stage: Stage, browser: Person): Promise<Person> {
  const opened = { ...browser, ...stage.tab(browser) }
  await opened.client.account.start()
  return opened
}

/** Opens it in a new page, and waits until it has published the epochs that are missing. */
async function publishWith(stage: Stage, browser: Person): Promise<Person> {
  const opened = await open(stage, browser)
  const newestEnd = async () => (await keysFor(opened)).epochs.at(-1)?.endsAt ?? 0
  const isComplete = async () =>
    (await newestEnd()) - stage.server.clock.now() > (limits.epochsAhead - 1) * limits.epochDuration
  await expect.poll(isComplete, { timeout: 20_000 }).toBe(true)
  return opened
}

/** Waits until the page of a shared computer, which stores nothing, makes as many browsers in the list. */
const listedAs = ({ client }: Pick<Person, 'client'>, count: number) =>
  expect
    .poll(async () => (await client.browsers.list()).browsers.length, { timeout: 20_000, interval: 500 })
    .toBe(count)

/** The notices of this member about a session that two browsers use. */
async function sharedNoticesOf({ client }: Pick<Person, 'client'>) {
  const { notifications: list } = await client.call(notifications.list, { query: {} })
  return list.filter((each) => 'change' in each && each.change === 'session_shared')
}

const beforeApproval = expect.stringMatching(/^This is from before you first used this browser, which is not approved/)

test('a copied disk with its cookies opens all that its browser does, until the session ends', async () => {
  await using stage = await createStage()
  const { ben, connectionId, send, copy } = await begin(stage, { onlyApproved: false })
  await stage.advance(limits.epochDuration)
  await publishWith(stage, ben)
  await send('After')
  const opened = await open(stage, copy)
  expect(await texts(opened, connectionId)).toEqual(['Before', 'After'])
  const elsewhere = await stage.signIn(ben)
  await elsewhere.client.ownAccount.endOtherSessions()
  await expect.poll(() => opened.client.account.state.get().status).toBe('signedOut')
  expect((await open(stage, copy)).client.account.state.get().status).toBe('signedOut')
})

test('with only approved browsers a copy that comes later is another browser, and not approved', async () => {
  await using stage = await createStage()
  const { ben, connectionId, send, copy } = await begin(stage, { onlyApproved: true })
  ben.client.close()
  await stage.advance(limits.epochDuration)
  const original = await publishWith(stage, ben)
  const alarms = collect(original, 'alarm')
  const opened = await open(stage, copy)
  await expect.poll(() => browserIdOf(opened, ben)).not.toBe(await browserIdOf(original, ben))
  await browserListed(opened)
  await expect.poll(async () => (await keysFor(opened)).epochs.some(({ sealedSeed }) => sealedSeed)).toBe(true)
  await send('After')
  expect(await texts(opened, connectionId)).toEqual([beforeApproval, 'After'])
  expect(await texts(original, connectionId)).toEqual(['Before', 'After'])
  expect(alarms).toEqual([])
})

test('with only approved browsers a copy that comes first raises an alarm in its original', async () => {
  await using stage = await createStage()
  const { ben, connectionId, copy } = await begin(stage, { onlyApproved: true })
  ben.client.close()
  await stage.advance(limits.epochDuration)
  const opened = await publishWith(stage, copy)
  const original = { ...ben, ...stage.tab(ben) }
  const alarms = collect(original, 'alarm')
  // The first list comes before this browser has learned that it was copied.
  original.network.answers = (request) =>
    request.startsWith('PUT /api/browsers') ? new Response('{}', { status: 503 }) : undefined
  await original.client.account.start()
  expect(await texts(original, connectionId)).toEqual([beforeApproval])
  original.network.answers = undefined
  await stage.advance(60_000)
  await expect.poll(() => alarms.map(({ code }) => code)).toEqual(['BROWSER_COPIED'])
  await browserListed(original)
  await expect.poll(() => texts(original, connectionId)).toEqual([beforeApproval])
  const refused = original.client.browsers.remove(await browserIdOf(opened, ben))
  await expect(refused).rejects.toMatchObject({ code: 'BROWSER_NOT_APPROVED' })
  // The alarm is gone with the page; the notice stays, unread, in the browser that was copied too.
  const reloaded = await open(stage, original)
  expect(await sharedNoticesOf(reloaded)).toMatchObject([{ kind: 'account_changed', read: false, current: false }])
})

test('a copy is signed out with its removal, although its original has the same session', async () => {
  await using stage = await createStage()
  const { ben, copy } = await begin(stage, { onlyApproved: true })
  ben.client.close()
  await stage.advance(limits.epochDuration)
  const opened = await publishWith(stage, copy)
  const original = await open(stage, ben)
  await expect.poll(() => browserIdOf(original, ben)).not.toBe(await browserIdOf(opened, ben))
  await browserListed(original)
  await original.client.browsers.openWithRecoveryKey(ben.recoveryKey)
  // The session is the original’s by now.
  const removed = original.client.browsers.remove(await browserIdOf(opened, ben))
  await expect(removed).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await expect.poll(() => opened.client.account.state.get().status).toBe('signedOut')
  expect((await open(stage, copy)).client.account.state.get().status).toBe('signedOut')
  const again = { ...ben, ...stage.tab(ben) }
  await again.client.account.signIn(ben)
  await browserListed(again)
  expect((await again.client.browsers.list()).browsers).toHaveLength(1)
})

test('a cookie in another browser is told to the member, also in the browser that it is of', async () => {
  await using stage = await createStage()
  const { ben } = await begin(stage, { onlyApproved: false })
  const heard = next(ben, 'notification')
  const thief = { ...ben, ...stage.tab({ ...stage.tab(), network: ben.network }) }
  await thief.client.account.start()
  await thief.client.account.unlock(ben.password)
  await browserListed(thief)
  expect(await heard).toMatchObject({ kind: 'account_changed', change: 'session_shared' })
  expect(await sharedNoticesOf(ben)).toMatchObject([{ read: false }])
})

test('nobody is told of a reload, a second tab, another session or a shared computer', async () => {
  await using stage = await createStage()
  const { ben } = await begin(stage, { onlyApproved: true })
  await browserListed(await open(stage, ben))
  const tab = await open(stage, ben)
  await stage.advance(limits.epochDuration)
  await publishWith(stage, ben)
  await tab.client.account.signOut()
  const again = { ...ben, ...stage.tab(ben) }
  await again.client.account.signIn(ben)
  await browserListed(again)
  const shared = { ...ben, ...stage.tab() }
  await shared.client.account.signIn({ ...ben, sharedComputer: true })
  await listedAs(shared, 2)
  const second = { ...shared, ...stage.tab(shared) }
  await second.client.account.start()
  await second.client.account.unlock(ben.password)
  await listedAs(second, 3)
  expect(await sharedNoticesOf(again)).toEqual([])
})
