import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { pinsBinding } from '../keys/aad.ts'
import type { StoredPins } from '../keys/rollback.ts'

/** The identity key of a contact as the user has accepted it. */
export interface Pin {
  identityKey: string
  /** Accepted before, newest first: for messages from before `since`. */
  previous: readonly string[]
  verified: boolean
  /** When the user last verified the contact or took that back; 0 for never. */
  verifiedAt: number
  /** The contact's name when the user verified them. */
  name?: string | undefined
  /** The user connected by a link that names this key. */
  linked: boolean
  paused: boolean
  /** When the user last paused or resumed sending; 0 for never. */
  pausedAt: number
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

/**
 * The list for a new account key: nobody is verified or confirmed by a link, and no date counts, because whoever had
 * the former key could have written them.
 */
export function forNewKey({ pins, parties }: PinList): PinList {
  const none = { verified: false, verifiedAt: 0, name: undefined, linked: false, pausedAt: 0 }
  return { pins: Object.fromEntries(Object.entries(pins).map(([id, pin]) => [id, { ...pin, ...none }])), parties }
}

/**
 * Short names and no defaults, because the list must hold some 1,000 contacts. When the contact was verified (`v`) or
 * that was taken back (`u`), and when sending was paused (`h`) or resumed (`r`).
 */
interface WrittenPin {
  k: string
  s: number
  p?: readonly string[]
  v?: number
  u?: number
  n?: string | undefined
  l?: true
  h?: number
  r?: number
}

interface Written {
  pins: Record<string, WrittenPin>
  parties: Record<string, string>
}

function writePin({ verified, verifiedAt, paused, pausedAt, ...pin }: Pin): WrittenPin {
  return {
    k: pin.identityKey,
    s: pin.since,
    ...(pin.previous.length > 0 && { p: pin.previous }),
    ...(verified ? { v: verifiedAt, n: pin.name } : verifiedAt > 0 && { u: verifiedAt }),
    ...(pin.linked && { l: true as const }),
    ...(paused ? { h: pausedAt } : pausedAt > 0 && { r: pausedAt }),
  }
}

const readPin = ({ k, s, p = [], v, u = 0, n, l, h, r = 0 }: WrittenPin): Pin => ({
  identityKey: k,
  since: s,
  previous: p,
  linked: l === true,
  verified: v !== undefined,
  verifiedAt: v ?? u,
  name: n,
  paused: h !== undefined,
  pausedAt: h ?? r,
})

export function sealPins(accountKey: AccountKey, userId: string, version: number, list: PinList): Promise<string> {
  const pins = Object.entries(list.pins).map(([id, pin]) => [id, writePin(pin)])
  const written: Written = { pins: Object.fromEntries(pins), parties: list.parties }
  const plain = new TextEncoder().encode(JSON.stringify(written))
  return sealPrivate(accountKey, pinsBinding(userId, version), plain)
}

/** Throws E2eeError unless this user encrypted the list under this version. */
export async function openPins(accountKey: AccountKey, userId: string, stored: StoredPins): Promise<PinList> {
  const plain = await openPrivate(accountKey, pinsBinding(userId, stored.version), stored.sealed)
  const { pins, parties } = JSON.parse(new TextDecoder().decode(plain)) as Written
  return { pins: Object.fromEntries(Object.entries(pins).map(([id, pin]) => [id, readPin(pin)])), parties }
}
