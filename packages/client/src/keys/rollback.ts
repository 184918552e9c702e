import type { Device } from '../device/device.ts'
import { seenPrefix } from '../device/storageNames.ts'

/**
 * The last state that this browser saw of the user's own keys and pins, so that a server that returns an older one is
 * detected. Kept after sign-out; the pins are encrypted under the account key.
 */
export interface LastSeen {
  identityKey: string
  /** The newest epoch's number. */
  epoch: number
  pins?: StoredPins
}

const nameOf = seenPrefix

export const readLastSeen = async (device: Device, userId: string) =>
  (await device.get(nameOf(userId))) as LastSeen | undefined

/** The epoch number is only ever raised; the pins are replaced. */
export async function saveLastSeen(device: Device, userId: string, now: Partial<LastSeen> & { identityKey: string }) {
  const before = await readLastSeen(device, userId)
  const epoch = Math.max(now.epoch ?? 0, before?.epoch ?? 0)
  const pins = now.pins ?? before?.pins
  const seen: LastSeen = { identityKey: now.identityKey, epoch, ...(pins && { pins }) }
  await device.set(nameOf(userId), seen)
}

/** The pin list as the server stores it. */
export interface StoredPins {
  version: number
  sealed: string
}
