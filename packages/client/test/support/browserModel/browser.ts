import { type AccountKey, type Bytes, type Identity, openPrivate, randomBytes } from '@privity/e2ee'
import { browserPublicKey, type BrowserEntry, createBrowserRemoval } from '@privity/e2ee/browserEntry'
import { readBrowserPair } from '@privity/e2ee/browserPair'
import { createTabs } from '../../../src/device/tabs.ts'
import { createMemoryDevice } from '../../../src/index.ts'
import { browserBinding } from '../../../src/keys/aad.ts'
import { acceptBrowsers, sealToBrowsers } from '../../../src/keys/browserList.ts'
import { openOwnBrowser, type OwnBrowser, readBrowser } from '../../../src/keys/ownBrowser.ts'
import { duration, epochsAhead, type ModelEpoch, Refusal, type Renewal, type Server } from './server.ts'

/** The page was closed in the middle of a call, or its response was lost. */
export class Interrupted extends Error {}

export interface Account {
  userId: string
  accountKey: AccountKey
  identity: Identity
}

export interface Surroundings {
  account: Account
  server: Server
  now(): number
  /** Puts the call, lets others go first, and may lose it, its response, or both until later. */
  call<T>(work: () => T, isRead?: boolean): Promise<T>
  alarm(text: string): void
  /** The pair of a browser has an id from now on. */
  onNamed(browserId: string): void
}

type OwnKeys = ReturnType<Server['getKeys']>
/** One load of the keys, with the seeds that it opened. */
interface Loaded {
  keys: OwnKeys
  own: OwnBrowser
  listed: readonly BrowserEntry[]
  held: Map<number, Bytes>
}

const maxAttempts = 8

/** One device and its tabs, which do what a client does with the list of browsers. */
export function createBrowser(around: Surroundings) {
  const { account, server, now, call, alarm } = around
  const { userId, identity } = account
  const device = createMemoryDevice()

  async function openOwn(tab: ReturnType<typeof createTabs>, ended?: string): Promise<OwnBrowser> {
    const own = await openOwnBrowser({ device, tabs: tab, clock: { now, after: () => () => {} } }, account, ended)
    around.onNamed(own.browserId)
    return own
  }

  const sealAll = (held: ReadonlyMap<number, Bytes>, to: readonly Pick<BrowserEntry, 'browserId' | 'kemKey'>[]) =>
    sealToBrowsers(
      userId,
      [...held].map(([n, seed]) => ({ n, seed })),
      to,
    )

  /** Opens what this browser can, and judges the list. An answer that looks wrong is asked for once more. */
  async function read(own: OwnBrowser, isAskedAgain = false): Promise<Loaded | 'removed' | 'replaced'> {
    const keys = await call(() => server.getKeys(own.browserId), true)
    if (keys.removed.some(({ browserId }) => browserId === own.browserId)) return 'removed'
    const state = await own.settle(keys.own)
    if (state === 'replaced') return 'replaced'
    const { listed, isAltered } = await acceptBrowsers(device, { userId, identityKey: identity.publicKey }, keys)
    const isStrange = isAltered || state === 'foreign' || state === 'older'
    if (isStrange && !isAskedAgain) return read(own, true)
    if (isStrange) alarm(isAltered ? 'The list is altered.' : `The entry is ${state}.`)
    const held = new Map<number, Bytes>()
    for (const { n, wrapped, sealed } of keys.epochs) {
      const seed = wrapped ?? (sealed && (await own.openSeed(n, sealed)))
      if (seed) held.set(n, seed)
      else if (sealed) alarm(`The seed of epoch ${n} does not open.`)
    }
    return { keys, own, listed, held }
  }

  async function createRenewal({ keys, own, held }: Loaded): Promise<Renewal> {
    const entry = await own.createNextEntry(identity, keys.own)
    const seen = keys.epochs.filter(({ sealed }) => sealed).map(({ n }) => n)
    const kept = new Map([...held].filter(([n]) => keys.onlyApproved || seen.includes(n)))
    return { entry, seen, seeds: await sealAll(kept, [entry]) }
  }

  const findCurrent = ({ keys, held }: Loaded) =>
    keys.epochs.find(({ n, startsAt, usedUntil }) => startsAt <= now() && now() < usedUntil && held.has(n))

  /** Epochs from the end of the one in use, or from now, in place of all that lie ahead. */
  async function publish(loaded: Loaded, isFromNow: boolean): Promise<void> {
    const { keys, own, listed } = loaded
    const current = isFromNow ? undefined : findCurrent(loaded)
    const after = keys.epochs.at(-1)?.n ?? 0
    const made: (ModelEpoch & { seed: Bytes })[] = []
    let startsAt = current?.usedUntil ?? now()
    for (let n = after + 1; n <= after + epochsAhead; n++) {
      made.push({ n, startsAt, usedUntil: startsAt + duration, createdAt: now(), seed: randomBytes(32) })
      startsAt += duration
    }
    const { onlyApproved } = keys
    if (!onlyApproved) {
      const epochs = made.map(({ seed, ...epoch }) => ({ ...epoch, wrapped: seed }))
      return call(() => server.publish({ onlyApproved, epochs, after }))
    }
    const renewal = await createRenewal(loaded)
    const others = listed.filter(({ browserId }) => browserId !== own.browserId)
    const seeds = await sealAll(new Map(made.map(({ n, seed }) => [n, seed])), [...others, renewal.entry])
    const epochs = made.map(({ seed: _seed, ...epoch }) => epoch)
    await call(() => server.publish({ onlyApproved, epochs, after, sealing: { renewal, listed, seeds } }))
  }

  /** Runs one change under the lock of the tabs, on keys just loaded; again where another browser was first. */
  async function change<T>(work: (loaded: Loaded) => Promise<T>): Promise<T> {
    const tab = createTabs(device, () => {})
    let ended: string | undefined
    try {
      for (let attempt = 1; ; attempt++) {
        const own = await openOwn(tab, ended)
        const done = await own.exclusively(async () => {
          const loaded = await read(own)
          if (loaded === 'removed') ended = own.browserId
          if (loaded === 'removed' || loaded === 'replaced') return undefined
          try {
            return { result: await work(loaded) }
          } catch (error) {
            if (!(error instanceof Refusal) || attempt >= maxAttempts) throw error
            return undefined
          }
        })
        if (done) return done.result
      }
    } finally {
      tab.close()
    }
  }

  /** Opens a tab: lists the browser, publishes the epochs that are missing, replaces a pair that is old. */
  async function visit(): Promise<Map<number, Bytes>> {
    await change(async (loaded) => {
      const { keys } = loaded
      if (keys.own === undefined || !keys.isListed) {
        const renewal = await createRenewal(loaded)
        await call(() => server.putOwn(renewal))
      }
    })
    await change(async (loaded) => {
      const newest = loaded.keys.epochs.at(-1)
      const isMissing = newest === undefined || newest.startsAt <= now()
      if (isMissing || !findCurrent(loaded)) return publish(loaded, false)
      const { own, onlyApproved } = loaded.keys
      if (!onlyApproved || (own?.createdAt ?? 0) >= newest.createdAt) return
      const renewal = await createRenewal(loaded)
      await call(() => server.putOwn(renewal))
    })
    return change(async ({ held }) => held)
  }

  return {
    visit,
    approve: (to: string | undefined) =>
      change(async ({ listed, held }) => {
        const entry = listed.find(({ browserId }) => browserId === to)
        if (!entry) return
        const seeds = await sealAll(held, [entry])
        await call(() => server.approve(entry, seeds))
      }),
    async remove(browserId: string | undefined): Promise<void> {
      await change(async ({ listed }) => {
        if (!browserId || !listed.some((entry) => entry.browserId === browserId)) return
        const removal = await createBrowserRemoval(identity, { userId, browserId, createdAt: now() })
        await call(() => server.remove(removal))
      })
      if (server.isOnlyApproved()) await change((loaded) => publish(loaded, true))
    },
    async switchMode(): Promise<void> {
      const isOn = await change(async ({ keys, listed, held }) => {
        if (keys.onlyApproved) {
          await call(() => server.switchOff(keys.epochs.at(-1)?.n ?? 0, held))
          return false
        }
        const wrapped = new Map([...held].filter(([n]) => keys.epochs.some((each) => each.n === n && each.wrapped)))
        const seeds = await sealAll(wrapped, listed)
        await call(() => server.switchOn(listed, seeds))
        return true
      })
      if (isOn) await change((loaded) => publish(loaded, true))
    },
    browserId: async () => (await readBrowser(device, userId))?.browserId,
    /** Copies the disk, and the account key with it. */
    async copy(): Promise<{ browserId: string; kemSeeds: Bytes[]; kemKeys: string[] } | undefined> {
      const stored = await readBrowser(device, userId)
      if (!stored) return undefined
      const { browserId, sealed } = stored
      const pair = readBrowserPair(await openPrivate(account.accountKey, browserBinding(userId, browserId), sealed))
      const kemSeeds = [pair.seed, pair.next].filter((seed) => seed !== undefined)
      return { browserId, kemSeeds, kemKeys: await Promise.all(kemSeeds.map(browserPublicKey)) }
    },
  }
}

export type ModelBrowser = ReturnType<typeof createBrowser>
