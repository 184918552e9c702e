import { limits } from '@privity/contract/limits'
import type { Device } from '../../device/device.ts'
import { browserName } from '../../device/storageNames.ts'

/** The id in plain, because the first load of the keys names it before the account key is there. */
export interface StoredBrowser {
  browserId: string
  sealed: string
}

/** This browser as it is stored for a user; undefined where it has no keys yet. */
export const readBrowser = async (device: Device, userId: string) =>
  (await device.get(browserName(userId))) as StoredBrowser | undefined

/**
 * Whether the entry is to be renewed: it is older than the newest epochs, or dated by a clock that was ahead, so
 * somebody may have copied its keys since. While the newest epochs are dated in the future, every entry is older than
 * they are: it then counts as old only after the duration of an epoch, so that it is not renewed at every check.
 */
export function isEntryOld(
  entry: { createdAt: number } | undefined,
  newest: { createdAt: number },
  now: number,
): boolean {
  const since = newest.createdAt > now ? now - limits.epochDuration : newest.createdAt
  return entry === undefined || entry.createdAt < since || entry.createdAt > now + limits.clockTolerance
}
