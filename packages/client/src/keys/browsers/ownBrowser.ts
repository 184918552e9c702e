import { type AccountKey, type Bytes, type Identity, newId, openPrivate, randomBytes, sealPrivate } from '@privity/e2ee'
import {
  type BrowserEntry,
  browserPublicKey,
  browserSignKey,
  createBrowserEntry,
  openSeed,
  signBrowserSession,
} from '@privity/e2ee/browserEntry'
import { type BrowserPair, readBrowserPair, writeBrowserPair } from '@privity/e2ee/browserPair'
import type { Device } from '../../device/device.ts'
import { browserName } from '../../device/storageNames.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { Clock } from '../../transport/clock.ts'
import { browserBinding } from '../aad.ts'
import { readBrowser, type StoredBrowser } from './storedBrowser.ts'

/**
 * `current`: the pair of the entry is this browser's. `older`: the entry is from before its pair, as after a restored
 * backup. `foreign`: another copy of this browser has made a pair, or somebody else uses its id. `unlisted`: there is
 * no entry. `replaced`: another tab has begun anew under another id, or the storage was cleared; open this browser
 * again.
 */
export type EntryState = 'current' | 'older' | 'foreign' | 'unlisted' | 'replaced'

/** This browser in the list of the user's browsers. Its keys stay on the device after sign-out. */
export interface OwnBrowser {
  readonly browserId: string
  /** Runs `work` beside no other tab that reads or replaces the pair. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Compares the pair with the entry that the server shows, and takes the next pair into use where it is listed. */
  settle(entry: BrowserEntry | undefined): Promise<EntryState>
  /**
   * Creates the entry of the next pair, which follows `previous`, once that is settled. The pair is stored first, and
   * stays the next one until `settle` sees it listed: a call whose response is lost may still take effect.
   */
  createNextEntry(identity: Identity, previous: BrowserEntry | undefined): Promise<BrowserEntry>
  /** Signs that this session belongs to this browser. */
  signSession(sessionId: string): Promise<string>
  /** Opens the sealed seed of epoch `n`; undefined where no pair of this browser opens it. */
  openSeed(n: number, sealed: string): Promise<Bytes | undefined>
}

/** `ended`: an id that is not used any more, because it was removed, or is in use by a copy of this browser. */
export async function openOwnBrowser(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock },
  own: { userId: string; accountKey: AccountKey },
  ended?: string,
): Promise<OwnBrowser> {
  const { device, tabs, clock } = deps
  const { userId, accountKey } = own

  const open = async ({ browserId, sealed }: StoredBrowser) =>
    readBrowserPair(await openPrivate(accountKey, browserBinding(userId, browserId), sealed))

  async function write(id: string, pair: BrowserPair): Promise<void> {
    const sealed = await sealPrivate(accountKey, browserBinding(userId, id), writeBrowserPair(pair))
    await device.set(browserName(userId), { browserId: id, sealed } satisfies StoredBrowser)
  }

  /** A pair that does not open is from before a replacement of the keys, which has removed this browser. */
  async function openOrCreate(): Promise<string> {
    const stored = await readBrowser(device, userId)
    const opens = stored && stored.browserId !== ended && (await open(stored).then(Boolean, () => false))
    if (opens) return stored.browserId
    const created = newId(clock.now())
    await write(created, { signSeed: randomBytes(32), n: 0, next: randomBytes(32) })
    return created
  }

  const exclusively = <T>(work: () => Promise<T>) => tabs.runExclusive(browserName(userId), work)

  /** Undefined once this id is not in use any more. */
  async function readPair(): Promise<BrowserPair | undefined> {
    const stored = await readBrowser(device, userId)
    return stored?.browserId === browserId ? open(stored) : undefined
  }

  async function requirePair(): Promise<BrowserPair> {
    const pair = await readPair()
    if (pair === undefined) throw new Error('This browser goes on under another id.')
    return pair
  }

  const isKeyOf = async (seed: Bytes | undefined, { kemKey }: BrowserEntry) =>
    seed !== undefined && (await browserPublicKey(seed)) === kemKey

  const browserId = await exclusively(openOrCreate)
  return {
    browserId,
    exclusively,
    async settle(entry) {
      const pair = await readPair()
      if (pair === undefined) return 'replaced'
      if (entry === undefined) return 'unlisted'
      if ((await browserSignKey(pair.signSeed)) !== entry.signKey) return 'foreign'
      // A copy could list a pair of then again, which this browser still holds until the next one is settled.
      if (entry.n === pair.n && (await isKeyOf(pair.seed, entry))) return 'current'
      if (await isKeyOf(pair.next, entry)) {
        await write(browserId, { signSeed: pair.signSeed, n: entry.n, seed: pair.next })
        return 'current'
      }
      return entry.n < pair.n ? 'older' : 'foreign'
    },
    async createNextEntry(identity, previous) {
      const pair = await requirePair()
      const { signSeed, next: kemSeed = randomBytes(32) } = pair
      if (pair.next === undefined) await write(browserId, { ...pair, next: kemSeed })
      return createBrowserEntry({ identity, userId, browserId, kemSeed, signSeed, createdAt: clock.now(), previous })
    },
    async signSession(sessionId) {
      return signBrowserSession((await requirePair()).signSeed, { userId, sessionId, browserId })
    },
    async openSeed(n, sealed) {
      const pair = await readPair()
      const binding = { userId, n, browserId }
      for (const kemSeed of [pair?.seed, pair?.next]) {
        const seed = kemSeed && (await openSeed(kemSeed, binding, sealed).catch(() => undefined))
        if (seed) return seed
      }
      return undefined
    },
  }
}
