import { describe, expect, test } from 'vitest'
import { createIdentity, importIdentity, newId, randomBytes, toBase64url } from '@privity/e2ee'
import {
  type BrowserEntry,
  browserPublicKey,
  createBrowserEntry,
  createBrowserRemoval,
  openSeed,
} from '@privity/e2ee/browserEntry'
import { createMemoryDevice } from '../../src/index.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { acceptBrowsers, sealToBrowsers } from '../../src/keys/browsers/browserList.ts'

const now = Date.UTC(2030, 0, 31, 12)
const userId = newId(now)
const identity = await importIdentity((await createIdentity()).seed)
const own = { userId, identityKey: identity.publicKey }

const signSeeds = new Map<string, ReturnType<typeof randomBytes>>()

async function entryOf(browserId = newId(now), previous?: BrowserEntry, createdAt = now, signer = identity) {
  const signSeed = signSeeds.get(browserId) ?? randomBytes(32)
  signSeeds.set(browserId, signSeed)
  const kemSeed = randomBytes(32)
  return createBrowserEntry({ identity: signer, userId, browserId, kemSeed, signSeed, createdAt, previous })
}
const remove = ({ browserId }: BrowserEntry) => createBrowserRemoval(identity, { userId, browserId, createdAt: now })
const [laptop, phone] = [await entryOf(), await entryOf()]

function createStore() {
  const device = createMemoryDevice()
  return { device, tabs: createTabs(device, () => {}) }
}

describe('a list of browsers', () => {
  test('is accepted as the identity has signed it', async () => {
    const accepted = await acceptBrowsers(createStore(), own, { browsers: [laptop, phone], removed: [] })
    expect(accepted).toEqual({ listed: [laptop, phone], signed: [laptop, phone], removed: new Set(), isAltered: false })
  })

  test('leaves out an entry of another identity, another user, or shown twice', async () => {
    const foreign = await entryOf(undefined, undefined, now, await importIdentity((await createIdentity()).seed))
    const other = { ...phone, userId: newId(now) }
    for (const wrong of [foreign, other, laptop]) {
      const accepted = await acceptBrowsers(createStore(), own, { browsers: [laptop, wrong], removed: [] })
      expect(accepted).toEqual({ listed: [laptop], signed: [laptop], removed: new Set(), isAltered: true })
    }
  })

  test('leaves out a removed browser, also once its removal is no longer shown', async () => {
    const store = createStore()
    const shown = { browsers: [laptop], removed: [await remove(phone)] }
    expect(await acceptBrowsers(store, own, shown)).toEqual({
      listed: [laptop],
      signed: [laptop],
      removed: new Set([phone.browserId]),
      isAltered: false,
    })
    const later = await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    expect(later).toEqual({
      listed: [laptop],
      signed: [laptop, phone],
      removed: new Set([phone.browserId]),
      isAltered: true,
    })
  })

  test('takes no removal that the identity has not signed', async () => {
    const forged = { ...(await remove(phone)), browserId: laptop.browserId }
    const accepted = await acceptBrowsers(createStore(), own, { browsers: [laptop], removed: [forged] })
    expect(accepted).toEqual({ listed: [laptop], signed: [laptop], removed: new Set(), isAltered: true })
  })

  test('leaves out a pair older than the one seen, which a copy may still hold', async () => {
    const store = createStore()
    const newer = await entryOf(laptop.browserId, laptop, now + 1)
    await acceptBrowsers(store, own, { browsers: [newer, phone], removed: [] })
    const replayed = await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    expect(replayed).toEqual({ listed: [phone], signed: [laptop, phone], removed: new Set(), isAltered: true })
    expect(await acceptBrowsers(store, own, { browsers: [newer], removed: [] })).toMatchObject({ isAltered: false })
  })

  test('takes the first entry of new keys, also where a clock was put back since', async () => {
    const store = createStore()
    const newer = await entryOf(laptop.browserId, laptop, now + 1)
    await acceptBrowsers(store, own, { browsers: [newer], removed: [] })
    const next = await importIdentity((await createIdentity()).seed)
    const first = await entryOf(laptop.browserId, undefined, now, next)
    const accepted = await acceptBrowsers(
      store,
      { userId, identityKey: next.publicKey },
      { browsers: [first], removed: [] },
    )
    expect(accepted).toMatchObject({ listed: [first], isAltered: false })
  })

  test('leaves out another browser under the id of one that it has seen', async () => {
    const store = createStore()
    await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    const { browserId } = laptop
    const [kemSeed, signSeed] = [randomBytes(32), randomBytes(32)]
    const other = await createBrowserEntry({ identity, userId, browserId, kemSeed, signSeed, createdAt: now + 1 })
    const accepted = await acceptBrowsers(store, own, { browsers: [other, phone], removed: [] })
    expect(accepted).toEqual({ listed: [phone], signed: [other, phone], removed: new Set(), isAltered: true })
    expect(await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })).toMatchObject({ listed: [laptop] })
  })

  test('leaves out an entry that the browser itself has not signed', async () => {
    const forged = { ...laptop, browserSignature: phone.browserSignature }
    const accepted = await acceptBrowsers(createStore(), own, { browsers: [forged, phone], removed: [] })
    expect(accepted).toEqual({ listed: [phone], signed: [forged, phone], removed: new Set(), isAltered: true })
  })

  test('is remembered by two tabs at once', async () => {
    const store = createStore()
    const shown = { browsers: [laptop], removed: [] }
    const [one, other] = [{ ...shown, removed: [await remove(phone)] }, shown]
    await Promise.all([one, other].map((each) => acceptBrowsers({ ...store, device: { ...store.device } }, own, each)))
    const later = await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    expect(later.removed).toEqual(new Set([phone.browserId]))
  })

  test('takes a lower number of a later date, as after a restored backup', async () => {
    const store = createStore()
    const newer = await entryOf(laptop.browserId, laptop, now + 1)
    await acceptBrowsers(store, own, { browsers: [newer], removed: [] })
    const anew = await entryOf(laptop.browserId, undefined, now + 2)
    expect(await acceptBrowsers(store, own, { browsers: [anew], removed: [] })).toMatchObject({ listed: [anew] })
  })

  test('takes a higher number of an earlier date, because a clock may have been ahead', async () => {
    const store = createStore()
    await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })
    const next = await entryOf(laptop.browserId, laptop, now - 1)
    expect(await acceptBrowsers(store, own, { browsers: [next], removed: [] })).toMatchObject({ isAltered: false })
  })
})

test('each seed is sealed to each browser', async () => {
  const kemSeed = randomBytes(32)
  const to = [laptop, { browserId: phone.browserId, kemKey: await browserPublicKey(kemSeed) }]
  const seeds = new Map([1, 2].map((n) => [n, randomBytes(32)]))
  const sealed = await sealToBrowsers(userId, seeds, to)
  expect(sealed.map(({ n, browserId }) => [n, browserId])).toEqual(
    [1, 2].flatMap((n) => to.map(({ browserId }) => [n, browserId])),
  )
  for (const { n, browserId, sealed: bytes } of sealed.filter((each) => each.browserId === phone.browserId))
    expect(await openSeed(kemSeed, { userId, n, browserId }, bytes)).toEqual(seeds.get(n))
})

test('a browser whose public key is no key gets no seed, and keeps no other from its own', async () => {
  const bad = { browserId: phone.browserId, kemKey: toBase64url(new Uint8Array(1216).fill(255)) }
  const sealed = await sealToBrowsers(userId, new Map([[1, randomBytes(32)]]), [bad, laptop])
  expect(sealed.map(({ browserId }) => browserId)).toEqual([laptop.browserId])
})

test('any other failure of sealing is thrown: a seed sealed to nobody would be lost', async () => {
  await expect(sealToBrowsers(userId, new Map([[1, undefined as never]]), [laptop])).rejects.toThrow(TypeError)
})
