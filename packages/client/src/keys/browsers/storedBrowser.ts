import { limits } from '@privity/contract/limits'
import type { Device } from '../../device/device.ts'
import { browserName } from '../../device/storageNames.ts'

/** The id in plain, because the first load of the keys names it before the account key is there. */
export interface StoredBrowser {
  browserId: string
  sealed: string
}

/** This browser as it is stored for a user; undefined where it has no pair yet. */
export const readBrowser = async (device: Device, userId: string) =>
  (await device.get(browserName(userId))) as StoredBrowser | undefined

/**
 * Whether the pair is older than the newest epochs, or dated by a clock that was ahead: a copy of it may be about.
 * After epochs that are dated ahead it is renewed once in the time of an epoch.
 */
export function isPairOld(
  entry: { createdAt: number } | undefined,
  newest: { createdAt: number },
  now: number,
): boolean {
  const since = newest.createdAt > now ? now - limits.epochDuration : newest.createdAt
  return entry === undefined || entry.createdAt < since || entry.createdAt > now + limits.clockTolerance
}
