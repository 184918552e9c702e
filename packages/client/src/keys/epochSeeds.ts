import type { OwnEpoch } from '@privity/contract/keys'
import { type AccountKey, type Bytes, isSeedOf, openPrivate } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import { seedBinding } from './aad.ts'

/**
 * Opens the seeds that are wrapped under the account key or sealed to this browser, by number of their epochs. Leaves
 * out what does not open, or is not the seed of its signed epoch, with an alarm: the server can seal a seed of its own
 * choice to a browser, and one damaged seed must not lock the account.
 */
export async function openSeeds(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock; alarm: SecurityAlert },
  own: { userId: string; accountKey: AccountKey },
  epochs: readonly OwnEpoch[],
): Promise<Map<number, Bytes>> {
  const opened = new Map<number, Bytes>()
  async function accept(epoch: OwnEpoch, seed: Bytes | undefined): Promise<void> {
    if (seed && (await isSeedOf(epoch, seed))) opened.set(epoch.n, seed)
    else deps.alarm('OWN_KEYS_DAMAGED')
  }
  for (const epoch of epochs) {
    if (epoch.wrappedSeed === undefined) continue
    const binding = seedBinding(own.userId, epoch.n)
    await accept(epoch, await openPrivate(own.accountKey, binding, epoch.wrappedSeed).catch(() => undefined))
  }
  const sealed = epochs.filter(({ n, sealedSeed }) => sealedSeed !== undefined && !opened.has(n))
  if (sealed.length === 0) return opened
  const { openSealedSeeds } = await import('./browsers/lazyBrowsers.ts')
  const seeds = await openSealedSeeds(deps, own, sealed)
  for (const epoch of sealed) if (seeds.has(epoch.n)) await accept(epoch, seeds.get(epoch.n))
  return opened
}
