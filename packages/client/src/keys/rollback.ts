import type { Device } from '../device/device.ts'
import { seenPrefix } from '../device/storageNames.ts'

/**
 * What this browser last saw of the user's own keys and pins, so that a server that brings back an older state
 * is noticed. It stays at sign-out; the pins in it are sealed under the account key.
 */
export interface Seen {
  identityKey: string
  /** The newest epoch's number. */
  epoch: number
  pins?: StoredPins
}

const nameOf = seenPrefix

export const getSeen = async (device: Device, userId: string) => (await device.get(nameOf(userId))) as Seen | undefined

/** An epoch's number is only ever raised; pins are the list that this browser goes by now. */
export async function keepSeen(device: Device, userId: string, now: Partial<Seen> & { identityKey: string }) {
  const before = await getSeen(device, userId)
  const epoch = Math.max(now.epoch ?? 0, before?.epoch ?? 0)
  const pins = now.pins ?? before?.pins
  const seen: Seen = { identityKey: now.identityKey, epoch, ...(pins && { pins }) }
  await device.set(nameOf(userId), seen)
}

/** The list as the server stores it. */
export interface StoredPins {
  version: number
  sealed: string
}
