import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { pinsBinding } from '../keys/aad.ts'
import type { StoredPins } from '../keys/rollback.ts'

/** The identity key of a contact as this user has accepted it. */
export interface Pin {
  identityKey: string
  /** Accepted before, newest first: for messages from before `since`. */
  previous: readonly string[]
  verified: boolean
  paused: boolean
  /** When this key was accepted. */
  since: number
}

/** The key accepted now, and those before it where it was accepted after `past`: messages of theirs may still live. */
export function acceptedKeys(pin: Pin | undefined, past: number): readonly string[] {
  if (!pin) return []
  return pin.since > past ? [pin.identityKey, ...pin.previous] : [pin.identityKey]
}

/** Pins by user, and who the other party of each connection is: neither may change unseen. */
export interface PinList {
  pins: Readonly<Record<string, Pin>>
  parties: Readonly<Record<string, string>>
}

export const noPins: PinList = { pins: {}, parties: {} }

/** Short, because the list has room for some 1,500 contacts: defaults are left out. */
interface Written {
  pins: Record<string, { k: string; s: number; p?: readonly string[]; v?: true; h?: true }>
  parties: Record<string, string>
}

export function sealPins(accountKey: AccountKey, userId: string, version: number, list: PinList): Promise<string> {
  const pins = Object.entries(list.pins).map(([id, { identityKey: k, since: s, previous: p, verified, paused }]) => [
    id,
    { k, s, ...(p.length > 0 && { p }), ...(verified && { v: true }), ...(paused && { h: true }) },
  ])
  const written: Written = { pins: Object.fromEntries(pins), parties: list.parties }
  const plain = new TextEncoder().encode(JSON.stringify(written))
  return sealPrivate(accountKey, pinsBinding(userId, version), plain)
}

/** Throws E2eeError where the list is not one that this user sealed under this version. */
export async function openPins(accountKey: AccountKey, userId: string, stored: StoredPins): Promise<PinList> {
  const plain = await openPrivate(accountKey, pinsBinding(userId, stored.version), stored.sealed)
  const { pins, parties } = JSON.parse(new TextDecoder().decode(plain)) as Written
  const read = Object.entries(pins).map(([id, { k, s, p = [], v = false, h = false }]): [string, Pin] => [
    id,
    { identityKey: k, since: s, previous: p, verified: v, paused: h },
  ])
  return { pins: Object.fromEntries(read), parties }
}
