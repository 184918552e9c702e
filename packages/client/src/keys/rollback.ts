import type { BrowserMode } from '@privity/contract/browserKeys'
import { isInTime } from '@privity/contract/epochTimes'
import type { EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { contactEpochsBinding } from './aad.ts'
import type { Device } from '../device/device.ts'
import { contactEpochsName, seenPrefix } from '../device/storageNames.ts'
import type { Tabs } from '../device/tabs.ts'

/**
 * The last state that this browser saw of the user's own keys and pins, so that a server that returns an older one is
 * detected. Kept after sign-out; the pins are encrypted under the account key.
 */
export interface LastSeen {
  identityKey: string
  /** The newest epoch's number. */
  epoch: number
  mode?: BrowserMode
  pins?: StoredPins
}

const nameOf = seenPrefix

export const readLastSeen = async (device: Device, userId: string) =>
  (await device.get(nameOf(userId))) as LastSeen | undefined

/** The mode with the higher number; the first where they are equal. */
const newestMode = (one: BrowserMode | undefined, other: BrowserMode | undefined) =>
  (other?.n ?? -1) > (one?.n ?? -1) ? other : one

/** A change of what was seen. Without an identity key, that of before stays. */
interface SeenChange extends Partial<LastSeen> {
  /** The list that `pins` replace: in its place they may have a lower number, as after a restored backup. */
  pinsBefore?: StoredPins | undefined
  /** Whether `pins` continue another list, which another tab has saved while a call was on its way. */
  continues?(seen: StoredPins): Promise<boolean>
}

const isSame = (one: StoredPins, other: StoredPins) => one.version === other.version && one.sealed === other.sealed

/** Replaces the list of another tab only by a newer one that continues it. */
async function newestPins(seen: StoredPins | undefined, change: SeenChange): Promise<StoredPins | undefined> {
  const { pins, pinsBefore, continues } = change
  if (seen === undefined || pins === undefined) return pins ?? seen
  if (pinsBefore && isSame(seen, pinsBefore)) return pins
  return pins.version > seen.version && (await continues?.(seen)) !== false ? pins : seen
}

type Store = { device: Device; tabs: Pick<Tabs, 'runExclusive'> }

/**
 * The numbers of the epoch, of the mode and of the pins are only ever raised. One at a time, in all tabs: keys and pins
 * are loaded beside each other, and none may write back what another has replaced meanwhile.
 */
export function saveLastSeen({ device, tabs }: Store, userId: string, update: SeenChange): Promise<void> {
  return tabs.runExclusive(`privity-${nameOf(userId)}`, async () => {
    const before = await readLastSeen(device, userId)
    const epoch = Math.max(update.epoch ?? 0, before?.epoch ?? 0)
    const pins = await newestPins(before?.pins, update)
    const mode = newestMode(before?.mode, update.mode)
    const identityKey = update.identityKey ?? before?.identityKey
    if (identityKey === undefined) return
    const seen: LastSeen = { identityKey, epoch, ...(mode && { mode }), ...(pins && { pins }) }
    await device.set(nameOf(userId), seen)
  })
}

/** The pin list as the server stores it. */
export interface StoredPins {
  version: number
  sealed: string
}

/** Number and signed times of an epoch. */
type EpochMark = Pick<EpochKey, 'n' | 'createdAt' | 'startsAt'>

/** The highest epoch of a contact that this browser has seen signed by this identity key. */
interface SeenEpoch extends EpochMark {
  identityKey: string
}

/** Whether `epoch` has ended, or another has taken its place, although `seen` came after it. */
export function isOlderEpoch(epoch: EpochKey, seen: EpochMark | undefined, now: number): boolean {
  if (!seen || epoch.n >= seen.n) return false
  if (!isInTime(epoch, now)) return true
  // One whose time it is counts until the later one has begun: a clock that was ahead shows epochs before their time.
  // Made after the later one, it is from after a restored backup.
  return epoch.createdAt < seen.createdAt && seen.startsAt + limits.epochGrace <= now
}

/**
 * The highest epoch of each contact, so that a server that returns an older one is detected after a reload too. Kept
 * after sign-out, encrypted under the account key.
 */
export interface ContactEpochs {
  highest(userId: string, identityKey: string): EpochMark | undefined
  raise(userId: string, seen: SeenEpoch): Promise<void>
}

export async function openContactEpochs(
  { device, tabs }: Store,
  own: { userId: string; accountKey: AccountKey },
): Promise<ContactEpochs> {
  const { userId, accountKey } = own
  const name = contactEpochsName(userId)
  const binding = contactEpochsBinding(userId)

  let known = new Map<string, SeenEpoch>()

  /**
   * Returns those known here if the stored ones do not open: another tab may have encrypted them under keys that this
   * one does not have yet.
   */
  async function read(): Promise<Map<string, SeenEpoch>> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return new Map()
    const plain = await openPrivate(accountKey, binding, sealed).catch(() => undefined)
    return new Map(plain ? (JSON.parse(new TextDecoder().decode(plain)) as [string, SeenEpoch][]) : known)
  }

  /** Reads first, because another tab may have raised others meanwhile; one tab at a time. */
  async function write(contact: string, seen: SeenEpoch): Promise<void> {
    const stored = await read()
    const before = stored.get(contact)
    if (before?.identityKey === seen.identityKey && before.n > seen.n) return
    stored.set(contact, seen)
    await device.set(
      name,
      await sealPrivate(accountKey, binding, new TextEncoder().encode(JSON.stringify([...stored]))),
    )
  }

  known = await read()
  return {
    highest(contact, identityKey) {
      const seen = known.get(contact)
      return seen?.identityKey === identityKey ? seen : undefined
    },
    raise(contact, seen) {
      known.set(contact, seen)
      return tabs.runExclusive(`privity-${name}`, () => write(contact, seen))
    },
  }
}
