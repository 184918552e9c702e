import { type AccountKey, type Bytes, type Identity, openPrivate, randomBytes } from '@privity/e2ee'
import { browserPublicKey, type RecoveryPair } from '@privity/e2ee/browserEntry'
import { readBrowserPair } from '@privity/e2ee/browserPair'
import { createTabs } from '../../../src/device/tabs.ts'
import { createMemoryDevice } from '../../../src/index.ts'
import { browserBinding } from '../../../src/keys/aad.ts'
import type { BrowserCalls, BrowserEpoch } from '../../../src/keys/browserCalls.ts'
import { createBrowsers } from '../../../src/keys/browsers.ts'
import { readBrowser } from '../../../src/keys/ownBrowser.ts'
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
    putOwn: (renewal) => call(() => server.putOwn(renewal)),
    publish: (publication) => call(() => server.publish(publication)),
    approve: (to, seeds) => call(() => server.approve(to, seeds)),
    remove: (removal) => call(() => server.remove(removal)),
    switchOn: (listed, seeds) => call(() => server.switchOn(listed, seeds)),
    switchOff: (after, wrapped) => call(() => server.switchOff(after, wrapped)),
    isConflict: (error) => error instanceof Refusal,
  }

  const openTab = () =>
    createBrowsers<BrowserEpoch>({
      calls,
      device,
      tabs: createTabs(device, () => {}),
      clock: { now, after: () => () => {} },
      alarm,
      own: account,
      // Without keys and signatures, which the list of browsers does not look at.
      async createEpochs({ epochs }, startsAt) {
        const after = epochs.at(-1)?.n ?? 0
        return Array.from({ length: epochsAhead }, (_, i) => {
          const times = { startsAt: startsAt + i * duration, endsAt: startsAt + (i + 1) * duration }
          return { epoch: { n: after + 1 + i, createdAt: now(), ...times }, seed: randomBytes(32) }
        })
      },
    })

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
      const pair = readBrowserPair(await openPrivate(account.accountKey, browserBinding(userId, browserId), sealed))
      const kemSeeds = [pair.seed, pair.next].filter((seed) => seed !== undefined)
      return { browserId, kemSeeds, kemKeys: await Promise.all(kemSeeds.map(browserPublicKey)) }
    },
  }
}

export type ModelBrowser = Omit<ReturnType<typeof createBrowser>, 'duplicate'>
