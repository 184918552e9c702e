import type { OwnEpoch } from '@privity/contract/keys'
import type { AccountKey, Bytes } from '@privity/e2ee'
import type { Device } from '../../device/device.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { Clock } from '../../transport/clock.ts'
import { openOwnBrowser } from './ownBrowser.ts'

/** Opens the seeds that are sealed to this browser, by number of their epochs. Leaves out what does not open. */
export async function openSealedSeeds(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock },
  own: { userId: string; accountKey: AccountKey },
  epochs: readonly Pick<OwnEpoch, 'n' | 'sealedSeed'>[],
): Promise<Map<number, Bytes>> {
  const browser = await openOwnBrowser(deps, own)
  const opened = new Map<number, Bytes>()
  for (const { n, sealedSeed } of epochs) {
    const seed = sealedSeed && (await browser.openSeed(n, sealedSeed))
    if (seed) opened.set(n, seed)
  }
  return opened
}
