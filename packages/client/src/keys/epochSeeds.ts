import type { OwnEpoch } from '@privity/contract/keys'
import { type AccountKey, type Bytes, openPrivate } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import { seedBinding } from './aad.ts'

/**
 * Opens the seeds that are wrapped under the account key or sealed to this browser, by number of their epochs. Leaves
 * out what does not open, with an alarm: one damaged seed must not lock the account.
 */
export async function openSeeds(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock; alarm: SecurityAlert },
  own: { userId: string; accountKey: AccountKey },
  epochs: readonly OwnEpoch[],
): Promise<Map<number, Bytes>> {
  const opened = new Map<number, Bytes>()
  for (const { n, wrappedSeed } of epochs) {
    if (wrappedSeed === undefined) continue
    const seed = await openPrivate(own.accountKey, seedBinding(own.userId, n), wrappedSeed).catch(() => undefined)
    if (seed) opened.set(n, seed)
    else deps.alarm('OWN_KEYS_DAMAGED')
  }
  const sealed = epochs.filter(({ n, sealedSeed }) => sealedSeed !== undefined && !opened.has(n))
  if (sealed.length === 0) return opened
  const { openSealedSeeds } = await import('./browsers/lazyBrowsers.ts')
  return new Map([...opened, ...(await openSealedSeeds(deps, own, sealed))])
}
