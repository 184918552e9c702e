import type { Pin, PinList } from './pinList.ts'

/** What comes of the list that a browser knows and a newer one. */
export interface Merged {
  list: PinList
  /** The newer one is not what honest browsers make of the one that is known. */
  altered: boolean
  /** Something of the known list is back that the newer one had lost: another browser will take it. */
  restored: boolean
}

/** Whether the user has accepted `newer` in the place of `known`, or has changed nothing. */
const follows = (known: Pin, newer: Pin): boolean =>
  newer.identityKey === known.identityKey || newer.previous.includes(known.identityKey)

/** What `withoutGone` leaves out. */
const isForgettable = (pin: Pin, id: string, connected: ReadonlySet<string>): boolean =>
  !pin.verified && !connected.has(id)

/**
 * The server decides which list a browser gets, and a browser that knows none makes a list of its own: a newer list
 * takes the place of the known one only where it goes on from it. Of two keys that do not follow each other the
 * verified one counts, else the one that is known here.
 */
export function mergePins(known: PinList, newer: PinList): Merged {
  const pins = { ...newer.pins }
  const parties = { ...newer.parties }
  const connected = new Set(Object.values(known.parties))
  let [altered, restored] = [false, false]
  for (const [id, pin] of Object.entries(known.pins)) {
    const other = newer.pins[id]
    if (other ? follows(pin, other) : isForgettable(pin, id, connected)) continue
    altered = true
    if (other?.verified && !pin.verified) continue
    pins[id] = pin
    restored ||= other === undefined || (pin.verified && !other.verified)
  }
  for (const [connectionId, id] of Object.entries(known.parties)) {
    // One that is missing was left out for want of room, or is needed here still.
    altered ||= (newer.parties[connectionId] ?? id) !== id
    parties[connectionId] = id
  }
  return { list: { pins, parties }, altered, restored }
}

/** Without the parties of connections that are no more, and the pins of those who are nobody's party and not verified. */
export function withoutGone({ pins, parties }: PinList, isConnected: (connectionId: string) => boolean): PinList {
  const left = Object.entries(parties).filter(([connectionId]) => isConnected(connectionId))
  const connected = new Set(left.map(([, id]) => id))
  const kept = Object.entries(pins).filter(([id, pin]) => !isForgettable(pin, id, connected))
  return { pins: Object.fromEntries(kept), parties: Object.fromEntries(left) }
}
