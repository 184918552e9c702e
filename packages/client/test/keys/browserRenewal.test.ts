import type { OwnKeys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importAccountKey, importIdentity, newId, randomBytes } from '@privity/e2ee'
import { createRecoveryPair, signBrowserMode } from '@privity/e2ee/browserEntry'
import { expect, test } from 'vitest'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { openOwnBrowser } from '../../src/keys/browsers/ownBrowser.ts'
import type { Call } from '../../src/transport/call.ts'
import { browserListed, keysFor } from '../support/browsers.ts'
import { collect, createStage, sentAll, texts } from '../support/stage.ts'
import { createStillClock } from '../support/stillClock.ts'

const hour = 60 * 60 * 1000

test('a browser whose session ends while it renews its entry lists none that it has not stored', async () => {
  const now = Date.UTC(2030, 0, 31, 12)
  const userId = newId(now)
  const clock = createStillClock(now)
  const accountKey = await importAccountKey(randomBytes(32))
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  const device = createMemoryDevice()
  const tabs = createTabs(device, () => {})
  const browser = await openOwnBrowser({ device, tabs, clock }, { userId, accountKey })
  const { entry } = await browser.createNextEntry(identity, undefined)
  await browser.settle(identity.publicKey, entry)
  const mode = { onlyApproved: true, n: 1 }
  const keys: OwnKeys = {
    userId,
    identityKey: identity.publicKey,
    wrappedIdentitySeed: '',
    wrappedAccountKey: '',
    pins: { version: 0, sealed: '' },
    epochs: [epoch],
    browsers: {
      mode: { ...mode, signature: await signBrowserMode(identity, { userId, ...mode }) },
      isModeRequired: false,
      isApproved: true,
      isPublicationDue: true,
      own: entry,
      isListed: true,
      isBound: true,
      browsers: [entry],
      removed: [],
      recovery: await createRecoveryPair(identity, userId, randomBytes(32)),
    },
  }
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const changes: string[] = []
  const call: Call = async ({ method, path }) => {
    if (method !== 'GET') changes.push(path)
    asked.resolve()
    await goOn.promise
    return keys as never
  }
  const deps = { call, clock, device, tabs, alarm() {}, isOwnReplacement: async () => false, onApproved() {} }
  const keyring = await openKeyring(deps, { identity, former: [], userId, sessionId: newId(now), accountKey }, keys)
  const visiting = keyring.renewEpoch()
  await asked.promise
  await keyring.stop()
  goOn.resolve()
  await visiting.catch(() => {})
  expect(changes).toEqual([])
})

test('a browser that has used up its renewals of a day renews later, without alarm or loss', async () => {
  const rateLimits = { browserLinks: { requests: 2, window: 24 * hour } }
  await using stage = await createStage({ options: { rateLimits } })
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const alarms = [anna, ben].map((each) => collect(each, 'alarm'))
  const numberOf = async () => (await keysFor(anna)).browsers.own?.n
  expect(await numberOf()).toBe(2)
  await stage.advance(9 * hour)
  await expect(anna.client.browsers.setOnlyApproved(true)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const arrived = collect(anna, 'message')
  await ben.client.messages.send(connectionId, 'Meanwhile')
  await sentAll(ben)
  await expect.poll(() => arrived.length).toBe(1)
  await anna.client.messages.send(connectionId, 'Answered')
  await sentAll(anna)
  expect(await texts(anna, connectionId)).toEqual(['Meanwhile', 'Answered'])
  expect(await numberOf()).toBe(2)
  await stage.advance(15 * hour)
  await expect.poll(numberOf).toBe(3)
  expect(alarms.flat()).toEqual([])
})
