import { browsers } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { createEpoch, type EpochKey, openPrivate, randomBytes } from '@privity/e2ee'
import {
  type BrowserSeeds,
  createBrowserEntry,
  createBrowserRemoval,
  signBrowserMode,
  signBrowserSession,
} from '@privity/e2ee/browserEntry'
import { readOwnBrowserKeys } from '@privity/e2ee/ownBrowserKeys'
import { expect, test } from 'vitest'
import { browserName } from '../../src/device/storageNames.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { browserBinding } from '../../src/keys/aad.ts'
import { toSealedTo } from '../../src/keys/browsers/browserList.ts'
import { openOwnBrowser } from '../../src/keys/browsers/ownBrowser.ts'
import type { StoredBrowser } from '../../src/keys/browsers/storedBrowser.ts'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { systemClock } from '../../src/transport/clock.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { browserIdOf, browserListed, copyOf, keysFor } from '../support/browsers.ts'
import { collect, createStage, sentAll, type Stage, texts } from '../support/stage.ts'

/** The calls of altered software with a copied disk and the password, while the original is away. */
async function beginAltered(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(ben)
  await ben.client.browsers.setOnlyApproved(true)
  await anna.client.trust.state(connectionId)
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  const { device } = await copyOf(ben)
  ben.client.close()
  await stage.advance(limits.epochDuration)
  const thief = await stage.signIn(ben)
  thief.client.close()
  const [id, userId, accountKey] = [await browserIdOf(ben, ben), ben.user.id, await accountKeyOf(thief)]
  const { id: sessionId } = (await thief.client.call(session.getUser, {})).session
  const clock = { ...systemClock, now: () => stage.server.clock.now() }
  const copied = await openOwnBrowser({ device, tabs: createTabs(device, () => {}), clock }, { userId, accountKey })
  const load = () => thief.client.call(keys.getOwn, { query: { browser: id } })
  const own = await load()
  const { identity } = await openIdentity(accountKey, own)
  expect(await copied.settle(identity.publicKey, own.browsers.own)).toBe('current')
  const stored = (await device.get(browserName(userId))) as StoredBrowser
  const { seeds } = readOwnBrowserKeys(await openPrivate(accountKey, browserBinding(userId, id), stored.sealed))
  const { signSeed: signer } = seeds as BrowserSeeds

  /** Signs the session with the copied key. */
  const signSession = () => signBrowserSession(signer, { userId, sessionId, browserId: id })

  /** The entry after the listed one, with keys of the thief's, signed by the copied key. */
  async function createRenewal() {
    const { epochs, browsers: now } = await load()
    const signSeed = randomBytes(32)
    const entry = await createBrowserEntry({
      ...{ identity, userId, browserId: id, n: (now.own?.n ?? 0) + 1, createdAt: clock.now(), signer },
      seeds: { kemSeed: randomBytes(32), signSeed },
    })
    const sessionSignature = await signBrowserSession(signSeed, { userId, sessionId, browserId: id })
    return { entry, seen: epochs.map(({ n }) => n), seeds: [], sessionSignature }
  }

  return {
    ben,
    connectionId,
    id,
    load,
    bind: async () =>
      thief.client.call(browsers.bind, { params: { id }, body: { sessionSignature: await signSession() } }),
    /** The numbers of epochs whose seeds the copy opens. */
    async opened(): Promise<number[]> {
      const opening = (await load()).epochs.map(async ({ n, sealedSeed }) =>
        sealedSeed && (await copied.openSeed(n, sealedSeed)) ? [n] : [],
      )
      return (await Promise.all(opening)).flat()
    },
    /** Lists an entry of the thief as the next one of the original. */
    renew: async () => thief.client.call(browsers.putOwn, { body: await createRenewal() }),
    /** Lists what the copy of the client would list, from the number that it knows. */
    async goOn(): Promise<unknown> {
      const { entry } = await copied.createNextEntry(identity, (await load()).browsers.own)
      return thief.client.call(browsers.putOwn, { body: { ...(await createRenewal()), entry } })
    },
    async publish(): Promise<unknown> {
      const { epochs, browsers: now } = await load()
      const [createdAt, previous] = [clock.now(), epochs.at(-1) as EpochKey]
      const next = { identity, userId, n: previous.n + 1, createdAt, startsAt: createdAt, previous }
      const { epoch } = await createEpoch(next)
      const sealing = { renewal: await createRenewal(), ...toSealedTo(now), seeds: [] }
      return thief.client.call(keys.publishEpochs, { body: { epochs: [epoch], sealing } })
    },
    /** Removes the original, in the session that was bound with the copied key. */
    async remove(): Promise<unknown> {
      const body = await createBrowserRemoval(identity, { userId, browserId: id, createdAt: clock.now() })
      return thief.client.call(browsers.remove, { params: { id }, body })
    },
    /** Switches the mode off, in the session that was bound with the copied key. */
    async switchOff(): Promise<unknown> {
      const { epochs, browsers: now } = await load()
      const mode = { onlyApproved: false as const, n: now.mode.n + 1 }
      const signature = await signBrowserMode(identity, { userId, ...mode })
      const body = { ...mode, signature, after: epochs.at(-1)?.n ?? 0, wrapped: [] }
      return thief.client.call(browsers.setMode, { body })
    },
  }
}

type Altered = Awaited<ReturnType<typeof beginAltered>>
const ways: [string, (copy: Altered) => Promise<unknown>, string][] = [
  ['with its session', ({ bind }) => bind(), 'INVALID_INPUT'],
  ['with the next entry', ({ renew }) => renew(), 'INVALID_INPUT'],
  ['with the entry that its disk goes on with', ({ goOn }) => goOn(), 'BROWSERS_CHANGED'],
  ['by publishing', ({ publish }) => publish(), 'INVALID_INPUT'],
  ['to remove it', ({ remove }) => remove(), 'BROWSER_NOT_APPROVED'],
  ['to switch the mode off', ({ switchOff }) => switchOff(), 'BROWSER_NOT_APPROVED'],
]

test.each(ways)(
  'a copied disk and the password pass for no browser that published since: %s',
  async (_way, act, code) => {
    await using stage = await createStage()
    const altered = await beginAltered(stage)
    const { ben, bind, load, opened, connectionId } = altered
    await bind()
    expect((await load()).browsers).toMatchObject({ isApproved: true, isBound: true })
    const original = { ...ben, ...stage.tab(ben) }
    const alarms = collect(original, 'alarm')
    await original.client.account.start()
    await expect.poll(async () => (await load()).browsers.isBound, { timeout: 20_000 }).toBe(false)
    await expect(act(altered)).rejects.toMatchObject({ code })
    expect(await opened()).toEqual([])
    expect((await keysFor(original)).browsers).toMatchObject({
      ...{ isListed: true, isBound: true, isApproved: true },
      mode: { onlyApproved: true },
    })
    expect(await texts(original, connectionId)).toEqual(['Before'])
    expect(alarms).toEqual([])
  },
)

test('with a copied disk and the password one passes for its browser, until that publishes again', async () => {
  await using stage = await createStage()
  const { bind, load, opened } = await beginAltered(stage)
  await bind()
  expect((await load()).browsers).toMatchObject({ isApproved: true, isBound: true })
  expect(await opened()).not.toEqual([])
})

test('a copy that renews the key in its original’s place raises an alarm there, however late', async () => {
  await using stage = await createStage()
  const { ben, id, renew } = await beginAltered(stage)
  await renew()
  await stage.advance(limits.epochDuration)
  const original = { ...ben, ...stage.tab(ben) }
  const alarms = collect(original, 'alarm')
  await original.client.account.start()
  await expect
    .poll(
      async () => {
        await stage.advance(60_000)
        return alarms.map(({ code }) => code)
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toEqual(['BROWSER_COPIED'])
  expect(await browserIdOf(original, ben)).not.toBe(id)
})
