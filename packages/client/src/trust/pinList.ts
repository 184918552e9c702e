import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { pinsBinding } from '../keys/aad.ts'
import type { StoredPins } from '../keys/rollback.ts'

/** The identity key of a contact as the user has accepted it. */
export interface Pin {
  identityKey: string
  /** Accepted before, newest first: for messages from before `since`. */
  previous: readonly string[]
  verified: boolean
  /** The contact's name when the user verified them. */
  name?: string | undefined
  /** The user connected by a link that names this key. */
  linked: boolean
  paused: boolean
  /** When this key was accepted. */
  since: number
}

/** The accepted key, and the earlier ones if it was accepted after `time`: their messages may still live. */
export function acceptedKeys(pin: Pin | undefined, time: number): readonly string[] {
  if (!pin) return []
  return pin.since > time ? [pin.identityKey, ...pin.previous] : [pin.identityKey]
}

/** Pins by user, and the contact of each connection: neither may change unnoticed. */
export interface PinList {
  pins: Readonly<Record<string, Pin>>
  parties: Readonly<Record<string, string>>
}

export const noPins: PinList = { pins: {}, parties: {} }

/** Short names and no defaults, because the list must hold some 1,500 contacts. */
interface Written {
  pins: Record<string, { k: string; s: number; p?: readonly string[]; v?: true; n?: string; l?: true; h?: true }>
  parties: Record<string, string>
}

export function sealPins(accountKey: AccountKey, userId: string, version: number, list: PinList): Promise<string> {
  const pins = Object.entries(list.pins).map(
    ([id, { identityKey: k, since: s, previous: p, verified, name, linked, paused }]) => [
      id,
      {
        k,
        s,
        ...(p.length > 0 && { p }),
        ...(verified && { v: true, n: name }),
        ...(linked && { l: true }),
        ...(paused && { h: true }),
      },
    ],
  )
  const written: Written = { pins: Object.fromEntries(pins), parties: list.parties }
  const plain = new TextEncoder().encode(JSON.stringify(written))
  return sealPrivate(accountKey, pinsBinding(userId, version), plain)
}

/** Throws E2eeError unless this user encrypted the list under this version. */
export async function openPins(accountKey: AccountKey, userId: string, stored: StoredPins): Promise<PinList> {
  const plain = await openPrivate(accountKey, pinsBinding(userId, stored.version), stored.sealed)
  const { pins, parties } = JSON.parse(new TextDecoder().decode(plain)) as Written
  const read = Object.entries(pins).map(([id, { k, s, p = [], v = false, n, l = false, h = false }]): [string, Pin] => [
    id,
    { identityKey: k, since: s, previous: p, verified: v, name: n, linked: l, paused: h },
  ])
  return { pins: Object.fromEntries(read), parties }
}
