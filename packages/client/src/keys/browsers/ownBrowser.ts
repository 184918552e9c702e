import { distanceFromId } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import { type AccountKey, type Bytes, type Identity, newId, openPrivate, randomBytes, sealPrivate } from '@privity/e2ee'
import {
  type BrowserEntry,
  browserEntryHash,
  type BrowserLink,
  browserPublicKey,
  type BrowserSeeds,
  browserSignKey,
  createBrowserEntry,
  openSeed,
  signBrowserSession,
  toBrowserLink,
  verifyBrowserLinks,
} from '@privity/e2ee/browserEntry'
import { type OwnBrowserKeys, readOwnBrowserKeys, writeOwnBrowserKeys } from '@privity/e2ee/ownBrowserKeys'
import type { Device } from '../../device/device.ts'
import { browserName } from '../../device/storageNames.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { Clock } from '../../transport/clock.ts'
import { browserBinding } from '../aad.ts'
import { readBrowser, type StoredBrowser } from './storedBrowser.ts'

/**
 * The entry that the server shows of this browser. `current`: it is the newest. `older`: it is a former one, as after a
 * restored backup. `foreign`: a copy of this browser has made it, or somebody else uses the id. `unlisted`: there is
 * none, and this browser may list itself under its id. `forgotten`: there is none, although this browser was listed or
 * its id is no longer new; or it is from before the oldest link kept, so that nothing can follow it. `replaced`:
 * another tab has chosen another id, the storage was cleared, or the keys do not open; open this browser again.
 */
export type EntryState = 'current' | 'older' | 'foreign' | 'unlisted' | 'forgotten' | 'replaced'

/** An entry, with the links before it that the server lacks after a restored backup. */
export interface NextEntry {
  entry: BrowserEntry
  links?: BrowserLink[]
}

/** This browser in the list of the user's browsers. Its keys stay on the device after sign-out. */
export interface OwnBrowser {
  readonly browserId: string
  /** Runs `work` while no other tab reads or replaces the keys. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /**
   * Compares the entry that the server shows with the keys of this browser. If it is the entry of the next keys, these
   * become the keys in use.
   */
  settle(identityKey: string, entry: BrowserEntry | undefined): Promise<EntryState>
  /**
   * Creates the next entry. `listed`: the entry that the server shows; call `settle` with it first. The keys of the
   * next entry are stored before it is sent, and kept until `settle` sees it listed: a call whose response is lost may
   * still take effect.
   */
  createNextEntry(identity: Identity, listed: BrowserEntry | undefined): Promise<NextEntry>
  /** Signs, with the key of this entry, that the session belongs to this browser. */
  signSession(sessionId: string, entry: BrowserEntry): Promise<string>
  /** Opens the sealed seed of epoch `n`; undefined where no pair of this browser opens it. */
  openSeed(n: number, sealed: string): Promise<Bytes | undefined>
}

const createSeeds = (): BrowserSeeds => ({ kemSeed: randomBytes(32), signSeed: randomBytes(32) })

/**
 * `ended`: an id that is not used any more, because it was removed, its keys do not open, or a copy of this browser
 * uses it.
 */
export async function openOwnBrowser(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock },
  own: { userId: string; accountKey: AccountKey },
  ended?: string,
): Promise<OwnBrowser> {
  const { device, tabs, clock } = deps
  const { userId, accountKey } = own

  const open = async ({ browserId, sealed }: StoredBrowser) =>
    readOwnBrowserKeys(await openPrivate(accountKey, browserBinding(userId, browserId), sealed))

  async function write(id: string, keys: OwnBrowserKeys): Promise<void> {
    const sealed = await sealPrivate(accountKey, browserBinding(userId, id), writeOwnBrowserKeys(keys))
    await device.set(browserName(userId), { browserId: id, sealed } satisfies StoredBrowser)
  }

  async function openOrCreate(): Promise<string> {
    const stored = await readBrowser(device, userId)
    if (stored && stored.browserId !== ended) return stored.browserId
    const created = newId(clock.now())
    await write(created, { n: 0, next: createSeeds(), links: [] })
    return created
  }

  /**
   * Whether the id was chosen a short time ago. The server refuses a first entry under an older id, because it may have
   * known that id before. Half of its tolerance leaves time for the call.
   */
  const isNew = (id: string) => distanceFromId(id, clock.now()) < limits.clockTolerance / 2

  const exclusively = <T>(work: () => Promise<T>) => tabs.runExclusive(browserName(userId), work)

  /**
   * Undefined once this id is not in use any more, and where the keys do not open: the user's keys were replaced in
   * another browser, which has removed this one, or in another tab, whose new keys this tab has not opened yet.
   */
  async function readKeys(): Promise<OwnBrowserKeys | undefined> {
    const stored = await readBrowser(device, userId)
    return stored?.browserId === browserId ? open(stored).catch(() => undefined) : undefined
  }

  async function requireKeys(): Promise<OwnBrowserKeys> {
    const keys = await readKeys()
    if (keys === undefined) throw new Error('This browser goes on under another id.')
    return keys
  }

  /** The link of the entry that the server shows, if it names the next keys and is signed by the key in use. */
  async function linkOfNext(
    { n, seeds, next }: OwnBrowserKeys,
    identityKey: string,
    entry: BrowserEntry,
  ): Promise<BrowserLink | undefined> {
    if (next === undefined || entry.n !== n + 1 || entry.userId !== userId || entry.browserId !== browserId) return
    const [kemKey, signKey] = await Promise.all([browserPublicKey(next.kemSeed), browserSignKey(next.signSeed)])
    if (entry.kemKey !== kemKey || entry.signKey !== signKey) return
    const link = toBrowserLink(identityKey, entry)
    const known = { n, signKey: seeds ? await browserSignKey(seeds.signSeed) : signKey }
    // The hash in the link holds the signature of the identity too.
    return verifyBrowserLinks({ userId, browserId }, known, [link]).then(
      () => link,
      () => undefined,
    )
  }

  const browserId = await exclusively(openOrCreate)
  return {
    browserId,
    exclusively,
    async settle(identityKey, entry) {
      const keys = await readKeys()
      if (keys === undefined) return 'replaced'
      const { n, next, links } = keys
      if (entry === undefined) return n === 0 && isNew(browserId) ? 'unlisted' : 'forgotten'
      const link = await linkOfNext(keys, identityKey, entry)
      if (link) {
        await write(browserId, { n: entry.n, seeds: next, links: [...links, link] })
        return 'current'
      }
      if (entry.n < (links[0]?.n ?? 0)) return 'forgotten'
      const known = links.find((each) => each.n === entry.n)
      if (known?.entryHash !== browserEntryHash(identityKey, entry)) return 'foreign'
      return entry.n === n ? 'current' : 'older'
    },
    async createNextEntry(identity, listed) {
      const keys = await requireKeys()
      const { n, next = createSeeds() } = keys
      if (keys.next === undefined) await write(browserId, { ...keys, next })
      const { signSeed: signer } = keys.seeds ?? next
      const own = { userId, browserId, n: n + 1, seeds: next, signer }
      const entry = await createBrowserEntry({ identity, ...own, createdAt: clock.now() })
      const links = keys.links.filter((link) => link.n > (listed?.n ?? n))
      return { entry, ...(links.length > 0 && { links }) }
    },
    async signSession(sessionId, { signKey }) {
      const { seeds, next } = await requireKeys()
      const isNext = next !== undefined && (await browserSignKey(next.signSeed)) === signKey
      const { signSeed } = (isNext ? next : seeds) as BrowserSeeds
      return signBrowserSession(signSeed, { userId, sessionId, browserId })
    },
    async openSeed(n, sealed) {
      const keys = await readKeys()
      const binding = { userId, n, browserId }
      for (const seeds of [keys?.seeds, keys?.next]) {
        const seed = seeds && (await openSeed(seeds.kemSeed, binding, sealed).catch(() => undefined))
        if (seed) return seed
      }
      return undefined
    },
  }
}
