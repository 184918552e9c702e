import { expect, test } from 'vitest'
import { type EpochKey, type OwnEpoch, keys as contract, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import {
  type Bytes,
  createEpoch,
  createIdentity,
  type Identity,
  importAccountKey,
  importIdentity,
  sealPrivate,
} from '@privity/e2ee'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { seedBinding } from '../../src/keys/aad.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import type { Call } from '../../src/transport/call.ts'
import { createStillClock } from '../support/stillClock.ts'

const hour = 3_600_000
const start = Date.UTC(2030, 0, 1)
const userId = '0198c0de-0000-7000-8000-00000000000a'

type Publish = (published: OwnEpoch[], store: (epochs: OwnEpoch[]) => void) => Promise<void> | void

/** A device on which keyrings open one after the other, with the epochs that the server gives each of them. */
async function createBrowser() {
  const accountKey = await importAccountKey(new Uint8Array(32))
  const identity = await importIdentity((await createIdentity()).seed)
  const device = createMemoryDevice()
  const browsers = {
    mode: { onlyApproved: false, n: 0 },
    ...{ isModeRequired: false, isApproved: true, isPublicationDue: false, isListed: true, isBound: true },
    ...{ browsers: [], removed: [], recovery: { kemKey: '', signature: '' } },
  }
  const wraps = { wrappedIdentitySeed: '', wrappedAccountKey: '', pins: { version: 0, sealed: '' } }
  /** `publish`: the server, which is given epochs; from then on it gives those that `store` is called with. */
  async function open(epochs: OwnEpoch[], now: number, publish?: Publish) {
    let keys: OwnKeys = { userId, identityKey: identity.publicKey, browsers, epochs, ...wraps }
    const call = (async (called: unknown, { body }: { body?: { epochs: OwnEpoch[] } }) => {
      if (called === contract.getOwn) return keys
      if (called !== contract.publishEpochs || !publish || !body) throw new Error('Nothing else is asked.')
      await publish(body.epochs, (stored) => (keys = { ...keys, epochs: stored }))
      return {}
    }) as Call
    const tabs = createTabs(device, () => {})
    const clock = createStillClock(now)
    const deps = { call, clock, device, tabs, alarm() {}, isOwnReplacement: async () => false, onApproved() {} }
    return openKeyring(deps, { identity, former: [], userId, sessionId: userId, accountKey }, keys)
  }
  const wrap = async ({ epoch, seed }: { epoch: EpochKey; seed: Bytes }): Promise<OwnEpoch> => ({
    ...epoch,
    wrappedSeed: await sealPrivate(accountKey, seedBinding(userId, epoch.n), seed),
  })
  return { identity, open, wrap }
}

const create = (identity: Identity, n: number, time: number, previous?: EpochKey) =>
  createEpoch({ identity, userId, n, createdAt: time, startsAt: time, ...(previous && { previous }) })

test('a keyring keeps no wrapped copy of a seed, which would outlive the seed in an open page', async () => {
  const { identity, open, wrap } = await createBrowser()
  const first = await create(identity, 1, start)
  const keyring = await open([await wrap(first)], start)
  expect(await keyring.seed(1)).toEqual(first.seed)
  expect(keyring.current()).toEqual(first.epoch)
})

/** An epoch, and one that has taken its place after an hour, whose seed this browser lacks. */
async function replacedEpochs() {
  const { identity, open, wrap } = await createBrowser()
  const first = await create(identity, 1, start)
  const { epoch: second } = await create(identity, 2, start + hour, first.epoch)
  const epochs = [await wrap(first), second]
  return { epoch: first.epoch, openAt: (now: number) => open(epochs, now) }
}

test('no message is bound to an epoch from when another has taken its place', async () => {
  const { epoch, openAt } = await replacedEpochs()
  expect((await openAt(start + hour)).current()).toEqual(epoch)
  const keyring = await openAt(start + hour + limits.epochGrace)
  expect(() => keyring.current()).toThrow(expect.objectContaining({ code: 'KEY_DESTROYED' }))
})

test('a seed is destroyed 24 hours after another epoch has taken the place of its own', async () => {
  const { openAt } = await replacedEpochs()
  const end = start + hour + limits.retention
  const keyring = await openAt(end - 1)
  expect(keyring.heldUntil(1)).toBe(end)
  expect(keyring.holds(1)).toBe(true)
  expect((await openAt(end)).holds(1)).toBe(false)
})

test('an epoch dated ahead that another has replaced does not come back on its date', async () => {
  const { identity, open, wrap } = await createBrowser()
  const date = start + 72 * hour
  const ahead = await create(identity, 1, date)
  const epochs = [await wrap(ahead)]
  await open(epochs, start)
  // Published once the clock is right: the server has deleted the one ahead.
  await open([await wrap(await create(identity, 2, start, ahead.epoch))], start)
  const keyring = await open(epochs, date)
  expect(await keyring.seed(1)).toBeUndefined()
})

test('an ended epoch that a clock behind has dated destroys no epoch still held', async () => {
  const { identity, open, wrap } = await createBrowser()
  const [week, behind] = [start - 168 * hour, start - 72 * hour]
  const ahead = await createEpoch({ identity, userId, n: 1, createdAt: week, startsAt: start })
  const epochs = [await wrap(ahead), await wrap(await create(identity, 2, behind, ahead.epoch))]
  await open(epochs, start)
  expect(await (await open(epochs, start)).seed(1)).toEqual(ahead.seed)
})

test('epochs published in the place of those ahead are loaded with what the server has left', async () => {
  const { identity, open, wrap } = await createBrowser()
  const ahead = await wrap(await create(identity, 1, start + 1_000 * hour))
  const keyring = await open([ahead], start, (published, store) => store(published))
  await keyring.renewEpoch()
  expect([keyring.current().n, keyring.knows(1), keyring.holds(1)]).toEqual([2, false, false])
})

test('epochs that a load has brought before the publication is answered count once', async () => {
  const { identity, open, wrap } = await createBrowser()
  const first = await wrap(await create(identity, 1, start))
  const [stored, answer] = [Promise.withResolvers<OwnEpoch>(), Promise.withResolvers<void>()]
  const keyring = await open([first], start, (published, store) => {
    store([first, ...published])
    stored.resolve(published[0] as OwnEpoch)
    return answer.promise
  })
  await keyring.renewEpoch()
  const { n, endsAt } = await stored.promise
  await keyring.refresh()
  answer.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(keyring.heldUntil(n)).toBe(endsAt + limits.retention)
})
