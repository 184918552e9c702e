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
 * Whether the pair is to be renewed: it is older than the newest epochs, or dated by a clock that was ahead, so
 * somebody may have copied it since. While the newest epochs are dated in the future, every pair is older than they
 * are: a pair then counts as old only after the duration of an epoch, so that it is not renewed at every check.
 */
export function isPairOld(
  entry: { createdAt: number } | undefined,
  newest: { createdAt: number },
  now: number,
): boolean {
  const since = newest.createdAt > now ? now - limits.epochDuration : newest.createdAt
  return entry === undefined || entry.createdAt < since || entry.createdAt > now + limits.clockTolerance
}
