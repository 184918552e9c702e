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
