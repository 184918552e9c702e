import { describe, expect, test } from 'vitest'
import { createIdentity, importIdentity, newId, randomBytes, toBase64url } from '@privity/e2ee'
import {
  type BrowserEntry,
  type BrowserLink,
  browserPublicKey,
  createBrowserEntry,
  createBrowserRemoval,
  openSeed,
  toBrowserLink,
} from '@privity/e2ee/browserEntry'
import { createMemoryDevice } from '../../src/index.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { acceptBrowsers, sealToBrowsers } from '../../src/keys/browsers/browserList.ts'

const now = Date.UTC(2030, 0, 31, 12)
const userId = newId(now)
const identity = await importIdentity((await createIdentity()).seed)
const own = { userId, identityKey: identity.publicKey }

/** The signing seeds of each browser, by number of its entry. */
const signSeeds = new Map<string, ReturnType<typeof randomBytes>>()
const signSeedOf = (browserId: string, n: number) => {
  const signSeed = signSeeds.get(`${browserId}/${n}`) ?? randomBytes(32)
  signSeeds.set(`${browserId}/${n}`, signSeed)
  return signSeed
}

async function entryOf(browserId = newId(now), previous?: BrowserEntry, createdAt = now, signer = identity) {
  const n = (previous?.n ?? 0) + 1
  return createBrowserEntry({
    ...{ identity: signer, userId, browserId, n, createdAt },
    seeds: { kemSeed: randomBytes(32), signSeed: signSeedOf(browserId, n) },
    signer: signSeedOf(browserId, Math.max(1, n - 1)),
  })
}

/** `count` entries of a browser after this one. */
async function entriesAfter(previous: BrowserEntry, count: number): Promise<BrowserEntry[]> {
  const entries: BrowserEntry[] = []
  for (let left = count; left > 0; left--)
    entries.push(await entryOf(previous.browserId, entries.at(-1) ?? previous, now + count - left))
  return entries
}
const linksOf = (entries: readonly BrowserEntry[], identityKey = identity.publicKey) =>
  entries.map((entry) => toBrowserLink(identityKey, entry))
const remove = ({ browserId }: BrowserEntry) => createBrowserRemoval(identity, { userId, browserId, createdAt: now })
const [laptop, phone] = [await entryOf(), await entryOf()]

/** A device, and the links that the server has, which it counts the calls for. */
function createStore(links: readonly BrowserLink[] = [], page = 500) {
  const device = createMemoryDevice()
  const asked: number[] = []
  const store = {
    ...{ device, tabs: createTabs(device, () => {}), links, asked },
    async loadLinks(_browserId: string, after: number) {
      asked.push(after)
      return store.links.filter(({ n }) => n > after).slice(0, page)
    },
  }
  return store
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

  test('leaves out an entry older than the one seen, which a copy may still hold', async () => {
    const store = createStore()
    const newer = await entryOf(laptop.browserId, laptop, now + 1)
    await acceptBrowsers(store, own, { browsers: [newer, phone], removed: [] })
    const replayed = await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    expect(replayed).toEqual({ listed: [phone], signed: [laptop, phone], removed: new Set(), isAltered: true })
    expect(await acceptBrowsers(store, own, { browsers: [newer], removed: [] })).toMatchObject({ isAltered: false })
  })

  test('goes on with new keys, which the key before has signed too', async () => {
    const next = await importIdentity((await createIdentity()).seed)
    const second = await entryOf(laptop.browserId, laptop, now - 1, next)
    const [third] = [await entryOf(laptop.browserId, second, now, next)]
    const renewed = { userId, identityKey: next.publicKey }
    for (const shown of [second, third]) {
      const store = createStore(linksOf([second, third], next.publicKey))
      await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })
      expect(await acceptBrowsers(store, renewed, { browsers: [shown], removed: [] })).toMatchObject({
        listed: [shown],
        isAltered: false,
      })
      const first = await entryOf(laptop.browserId, undefined, now, next)
      expect(await acceptBrowsers(store, renewed, { browsers: [first], removed: [] })).toMatchObject({ listed: [] })
    }
  })

  test('leaves out another browser under the id of one that it has seen', async () => {
    const store = createStore()
    await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    const { browserId } = laptop
    const signSeed = randomBytes(32)
    const seeds = { kemSeed: randomBytes(32), signSeed }
    const made = { identity, userId, browserId, seeds, signer: signSeed, createdAt: now + 1 }
    for (const n of [1, 2]) {
      const other = await createBrowserEntry({ ...made, n })
      const accepted = await acceptBrowsers(store, own, { browsers: [other, phone], removed: [] })
      expect(accepted).toEqual({ listed: [phone], signed: [other, phone], removed: new Set(), isAltered: true })
    }
    expect(await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })).toMatchObject({ listed: [laptop] })
  })

  test('leaves out a first entry that the browser itself has not signed', async () => {
    const forged = { ...laptop, browserSignature: phone.browserSignature }
    const accepted = await acceptBrowsers(createStore(), own, { browsers: [forged, phone], removed: [] })
    expect(accepted).toEqual({ listed: [phone], signed: [forged, phone], removed: new Set(), isAltered: true })
  })

  test('keeps the newer entry that another tab has seen meanwhile', async () => {
    const store = createStore()
    const second = await entryOf(laptop.browserId, laptop)
    const behind = acceptBrowsers(store, own, { browsers: [laptop], removed: [] })
    const ahead = acceptBrowsers(store, own, { browsers: [second], removed: [] })
    await Promise.all([behind, ahead])
    expect(await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })).toMatchObject({ listed: [] })
  })

  test('is remembered by two tabs at once', async () => {
    const store = createStore()
    const shown = { browsers: [laptop], removed: [] }
    const [one, other] = [{ ...shown, removed: [await remove(phone)] }, shown]
    await Promise.all([one, other].map((each) => acceptBrowsers({ ...store, device: { ...store.device } }, own, each)))
    const later = await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    expect(later.removed).toEqual(new Set([phone.browserId]))
  })

  test('takes a higher number of an earlier date, because a clock may have been ahead', async () => {
    const store = createStore()
    await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })
    const next = await entryOf(laptop.browserId, laptop, now - 1)
    expect(await acceptBrowsers(store, own, { browsers: [next], removed: [] })).toMatchObject({ isAltered: false })
  })
})

type Entries = [BrowserEntry, BrowserEntry, BrowserEntry, BrowserEntry]
const [second, third, fourth, fifth] = (await entriesAfter(laptop, 4)) as Entries

describe('an entry after others that this browser has missed', () => {
  const honest = linksOf([laptop, second, third, fourth, fifth])
  async function isAccepted(entry: BrowserEntry, links: readonly BrowserLink[], seen = laptop): Promise<boolean> {
    const store = createStore(links)
    await acceptBrowsers(store, own, { browsers: [seen], removed: [] })
    const { listed, isAltered } = await acceptBrowsers(store, own, { browsers: [entry], removed: [] })
    expect(isAltered).toBe(listed.length === 0)
    return listed.length === 1
  }

  test('is accepted by the links between', async () => {
    expect(await isAccepted(fifth, honest)).toBe(true)
    expect(await isAccepted(fifth, honest, third)).toBe(true)
  })

  test('is accepted by links that come in pages, and by those that go on after it', async () => {
    const store = createStore(honest, 2)
    await acceptBrowsers(store, own, { browsers: [laptop], removed: [] })
    expect(await acceptBrowsers(store, own, { browsers: [fourth], removed: [] })).toMatchObject({ listed: [fourth] })
    expect(store.asked).toEqual([1])
    expect(await acceptBrowsers(store, own, { browsers: [fifth], removed: [] })).toMatchObject({ listed: [fifth] })
    const other = createStore(honest, 1)
    await acceptBrowsers(other, own, { browsers: [laptop], removed: [] })
    expect(await acceptBrowsers(other, own, { browsers: [fifth], removed: [] })).toMatchObject({ listed: [fifth] })
    expect(other.asked).toEqual([1, 2, 3])
  })

  test('asks for no links where none or one entry was missed, or it is met for the first time', async () => {
    const store = createStore()
    for (const entry of [laptop, laptop, second, third, third, fourth])
      expect(await acceptBrowsers(store, own, { browsers: [entry], removed: [] })).toMatchObject({ listed: [entry] })
    expect(await acceptBrowsers(createStore(), own, { browsers: [fifth], removed: [] })).toMatchObject({
      listed: [fifth],
    })
    expect(store.asked).toEqual([])
  })

  test('is refused where a link is missing, or the chain ends before it', async () => {
    for (const missing of [2, 3, 4])
      expect(
        await isAccepted(
          fifth,
          honest.filter(({ n }) => n !== missing),
        ),
      ).toBe(false)
    expect(await isAccepted(fifth, honest.slice(0, 2))).toBe(false)
    expect(await isAccepted(fifth, [])).toBe(false)
  })

  test('is refused where a link is broken', async () => {
    const [, two, three] = honest as [BrowserLink, BrowserLink, BrowserLink]
    for (const broken of [
      { ...three, signature: two.signature },
      { ...three, entryHash: two.entryHash },
      { ...three, signKey: two.signKey },
    ])
      expect(await isAccepted(fifth, honest.with(2, broken))).toBe(false)
  })

  test('is refused by links of another browser', async () => {
    const others = await entriesAfter(phone, 4)
    expect(await isAccepted(fifth, linksOf([phone, ...others]))).toBe(false)
    const under = { ...(others.at(-1) as BrowserEntry), browserId: laptop.browserId }
    expect(await isAccepted(under, honest)).toBe(false)
  })

  test('is refused where the chain forks off before the entry that was seen', async () => {
    // With the password and a copy from before the third entry one can go on from the second.
    const fork = async (n: number) => {
      const signSeed = randomBytes(32)
      const seeds = { kemSeed: randomBytes(32), signSeed }
      const made = { identity, userId, browserId: laptop.browserId, createdAt: now + 9 }
      return {
        signSeed,
        entry: await createBrowserEntry({ ...made, n, seeds, signer: last ?? signSeedOf(laptop.browserId, n - 1) }),
      }
    }
    let last: ReturnType<typeof randomBytes> | undefined
    const forked: BrowserEntry[] = []
    for (const n of [3, 4, 5]) {
      const { signSeed, entry } = await fork(n)
      last = signSeed
      forked.push(entry)
    }
    const links = [...honest.slice(0, 2), ...linksOf(forked)]
    const [thirdFork, fourthFork, fifthFork] = forked as [BrowserEntry, BrowserEntry, BrowserEntry]
    for (const entry of [thirdFork, fourthFork, fifthFork]) expect(await isAccepted(entry, links, third)).toBe(false)
    // Without the third entry nobody can tell the two apart but the original.
    expect(await isAccepted(fifthFork, links)).toBe(true)
  })

  test('keeps no list from being read where the connection fails: nothing is called altered', async () => {
    const store = createStore()
    await acceptBrowsers(store, own, { browsers: [laptop, phone], removed: [] })
    const offline = { ...store, loadLinks: () => Promise.reject(new TypeError('offline')) }
    await expect(acceptBrowsers(offline, own, { browsers: [fifth, phone], removed: [] })).rejects.toThrow('offline')
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
