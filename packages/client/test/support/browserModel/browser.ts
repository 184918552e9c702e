import { type AccountKey, type Bytes, type Identity, openPrivate, randomBytes, sealPrivate } from '@privity/e2ee'
import { browserPublicKey, type RecoveryPair } from '@privity/e2ee/browserEntry'
import { readOwnBrowserKeys } from '@privity/e2ee/ownBrowserKeys'
import { createTabs } from '../../../src/device/tabs.ts'
import { createMemoryDevice } from '../../../src/index.ts'
import { browserBinding, seedBinding } from '../../../src/keys/aad.ts'
import type { BrowserCalls, BrowserEpoch } from '../../../src/keys/browsers/browserCalls.ts'
import { createBrowsers } from '../../../src/keys/browsers/browsers.ts'
import { openSealedSeeds } from '../../../src/keys/browsers/sealedSeeds.ts'
import { readBrowser } from '../../../src/keys/browsers/storedBrowser.ts'
import { duration, epochsAhead, Refusal, type Server } from './server.ts'

export interface Account {
  userId: string
  accountKey: AccountKey
  identity: Identity
  recovery: RecoveryPair
  recoverySeed: Bytes
}

export interface Surroundings {
  account: Account
  server: Server
  now(): number
  /** Puts the call, lets others go first, and may lose it, its response, or both until later. */
  call<T>(work: () => T, isRead?: boolean): Promise<T>
  alarm(code: string): void
}

/** One device, of which each use is a tab of its own. */
export function createBrowser(around: Surroundings, device = createMemoryDevice()) {
  const { account, server, now, call, alarm } = around
  const { userId } = account
  const calls: BrowserCalls<BrowserEpoch> = {
    getKeys: (browserId) => call(() => server.getKeys(browserId), true),
    getRecoverySeeds: () => call(server.getRecoverySeeds, true),
    getLinks: (browserId, after) => call(() => server.getLinks(browserId, after), true),
    bind: async () => {},
    putOwn: (renewal) => call(() => server.putOwn(renewal)),
    publish: (publication) => call(() => server.publish(publication)),
    approve: (to, seeds) => call(() => server.approve(to, seeds)),
    remove: (removal) => call(() => server.remove(removal)),
    switchOn: (change, to, seeds) => call(() => server.switchOn(change, to, seeds)),
    switchOff: (change, wrapped) => call(() => server.switchOff(change, wrapped)),
    isConflict: (error) => error instanceof Refusal,
  }

  // Without keys and signatures, which the list of browsers does not look at.
  function createEpochs(after: number, startsAt: number) {
    const count = Math.floor((now() - startsAt) / duration) + epochsAhead
    return Array.from({ length: count }, (_, i) => {
      const times = { startsAt: startsAt + i * duration, endsAt: startsAt + (i + 1) * duration }
      return { epoch: { n: after + 1 + i, createdAt: now(), ...times }, seed: randomBytes(32) }
    })
  }

  /** As the keyring does in the default mode. Another browser may be first. */
  async function publishWrapped(): Promise<void> {
    const { mode, epochs } = await calls.getKeys((await readBrowser(device, userId))?.browserId ?? '')
    const newest = epochs.at(-1)
    const current = epochs.findLast(({ startsAt, endsAt }) => startsAt <= now() && now() < endsAt)
    const end = current?.wrappedSeed || current?.sealedSeed ? current.endsAt : undefined
    const isComplete = newest !== undefined && newest.endsAt > now() + (epochsAhead - 1) * duration
    if (mode.onlyApproved || (end !== undefined && isComplete)) return
    const after = newest?.n ?? 0
    const made = createEpochs(after, end ?? now()).map(async ({ epoch, seed }) => ({
      ...epoch,
      wrappedSeed: await sealPrivate(account.accountKey, seedBinding(userId, epoch.n), seed),
    }))
    const published = await Promise.all(made)
    await call(() => server.publish({ epochs: published, after })).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
  }

  /** The seeds that this browser opens, by number of their epochs. */
  async function openHeld(): Promise<Map<number, Bytes>> {
    const { epochs } = await calls.getKeys((await readBrowser(device, userId))?.browserId ?? '')
    const held = await openSealedSeeds(surroundings, account, epochs)
    for (const { n, wrappedSeed } of epochs)
      if (wrappedSeed) held.set(n, await openPrivate(account.accountKey, seedBinding(userId, n), wrappedSeed))
    return new Map([...held].toSorted(([one], [other]) => one - other))
  }

  const surroundings = { device, tabs: createTabs(device, () => {}), clock: { now, after: () => () => {} } }

  function openTab() {
    const browsers = createBrowsers<BrowserEpoch>({
      calls,
      device,
      tabs: createTabs(device, () => {}),
      clock: { now, after: () => () => {} },
      alarm,
      own: { ...account, sessionId: account.userId },
      epochsAhead,
      isSeedOf: async () => true,
      createEpochs: async (newest, startsAt) => createEpochs(newest?.n ?? 0, startsAt),
    })
    return {
      ...browsers,
      async visit() {
        await publishWrapped()
        await browsers.visit()
        return openHeld()
      },
    }
  }

  return {
    openTab,
    browserId: async () => (await readBrowser(device, userId))?.browserId,
    /** A browser that goes on from a copy of this disk. */
    async duplicate() {
      const copied = createMemoryDevice()
      for (const name of await device.names('')) await copied.set(name, await device.get(name))
      return createBrowser(around, copied)
    },
    /** Copies the disk, and the account key with it. */
    async copy(): Promise<{ browserId: string; kemSeeds: Bytes[]; kemKeys: string[] } | undefined> {
      const stored = await readBrowser(device, userId)
      if (!stored) return undefined
      const { browserId, sealed } = stored
      const keys = readOwnBrowserKeys(await openPrivate(account.accountKey, browserBinding(userId, browserId), sealed))
      const kemSeeds = [keys.seeds, keys.next].flatMap((seeds) => (seeds ? [seeds.kemSeed] : []))
      return { browserId, kemSeeds, kemKeys: await Promise.all(kemSeeds.map(browserPublicKey)) }
    },
  }
}

export type ModelBrowser = Omit<ReturnType<typeof createBrowser>, 'duplicate'>
