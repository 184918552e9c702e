import type { OwnKeys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { collect, createStage, meetContacts, sentAll, type Stage, texts } from '../support/stage.ts'

/** Anna in the mode, with a message from before, and a browser that has her password and is not approved. */
async function createScene(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const thief = await stage.signIn(anna)
  await meetContacts(thief)
  await browserListed(thief)
  return { anna, thief, connectionId }
}

const isApproved = async (anna: Awaited<ReturnType<typeof createScene>>['anna'], browserId: string) =>
  (await anna.client.browsers.list()).browsers.find(({ entry }) => entry.browserId === browserId)?.isApproved

test('a mode that is applied again gives a browser that is not approved nothing from before', async () => {
  await using stage = await createStage()
  const { anna, thief, connectionId } = await createScene(stage)
  const reloaded = stage.tab(anna)
  let lies = true
  reloaded.network.tampers = (request, answer) => {
    if (request === 'PUT /api/browsers/mode') lies = false
    if (request !== 'GET /api/keys' || !lies) return answer
    const keys = answer as OwnKeys
    return { ...keys, browsers: { ...keys.browsers, mode: { onlyApproved: false, n: 0 } } }
  }
  await reloaded.client.account.start()
  await expect.poll(() => lies).toBe(false)
  expect((await keysFor(anna)).browsers.mode).toMatchObject({ onlyApproved: true, n: 2 })
  const again = stage.tab(thief)
  await again.client.account.start()
  expect((await texts(again, connectionId))[0]).toMatch(/^This is from before/)
  expect(await isApproved(anna, await browserIdOf(thief, anna))).toBe(false)
})

test('keys that another browser published under the account key are found out, and replaced', async () => {
  await using stage = await createStage()
  const { anna } = await createScene(stage)
  const reloaded = { ...anna, ...stage.tab(anna) }
  const alarms = collect(reloaded, 'alarm')
  let lies = true
  reloaded.network.tampers = (request, answer) => {
    if (request === 'PUT /api/browsers/mode') lies = false
    if (request !== 'GET /api/keys' || !lies) return answer
    const keys = answer as OwnKeys
    return { ...keys, epochs: keys.epochs.map((epoch) => ({ ...epoch, wrappedSeed: 'A'.repeat(80) })) }
  }
  await reloaded.client.account.start()
  await expect.poll(() => lies).toBe(false)
  expect(alarms.map(({ code }) => code)).toContain('BROWSER_MODE_OLDER')
})

test('a removal that the identity has not signed makes no browser give up its keys', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await createScene(stage)
  const own = await browserIdOf(anna, anna)
  const alarms = collect(anna, 'alarm')
  anna.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const keys = answer as OwnKeys
    const removal = { userId: anna.user.id, browserId: own, createdAt: 1, signature: 'A'.repeat(86) }
    return { ...keys, browsers: { ...keys.browsers, removed: [removal] } }
  }
  await anna.client.browsers.setOnlyApproved(true)
  expect(await browserIdOf(anna, anna)).toBe(own)
  expect(alarms.map(({ code }) => code)).toContain('BROWSERS_ALTERED')
  anna.network.tampers = undefined
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(await texts(reloaded, connectionId)).toEqual(['Before'])
})
