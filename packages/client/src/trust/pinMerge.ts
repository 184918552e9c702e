import type { Pin, PinList } from './pinList.ts'

/** The result of merging the list that a browser knows with a newer one. */
export interface Merged {
  list: PinList
  /** The newer list is not one that honest browsers derive from the known one. */
  altered: boolean
  /** An entry that the newer list had lost is restored: saving it informs the other browsers. */
  restored: boolean
}

/** Whether the user has accepted `newer` in place of `known`, or has changed nothing. */
const follows = (known: Pin, newer: Pin): boolean =>
  newer.identityKey === known.identityKey || newer.previous.includes(known.identityKey)

/** Whether `removeClosedConnections` removes this pin. */
const isRemovable = (pin: Pin, id: string, connected: ReadonlySet<string>): boolean =>
  !pin.verified && !connected.has(id)

/**
 * The server chooses which list a browser gets, and a browser without one starts its own: a newer list replaces the
 * known one only if it continues it. Of two keys that do not succeed each other the verified one counts, otherwise the
 * one known here.
 */
export function mergePins(known: PinList, newer: PinList): Merged {
  const pins = { ...newer.pins }
  const parties = { ...newer.parties }
  const connected = new Set(Object.values(known.parties))
  let [altered, restored] = [false, false]
  for (const [id, pin] of Object.entries(known.pins)) {
    const other = newer.pins[id]
    if (other ? follows(pin, other) : isRemovable(pin, id, connected)) continue
    altered = true
    if (other?.verified && !pin.verified) continue
    pins[id] = pin
    restored ||= other === undefined || (pin.verified && !other.verified)
  }
  for (const [connectionId, id] of Object.entries(known.parties)) {
    // A missing entry was removed for lack of space, or is still needed here.
    altered ||= (newer.parties[connectionId] ?? id) !== id
    parties[connectionId] = id
  }
  return { list: { pins, parties }, altered, restored }
}

/** Removes closed connections, and the unverified pins of users who are no contact any more. */
export function removeClosedConnections(
  { pins, parties }: PinList,
  isConnected: (connectionId: string) => boolean,
): PinList {
  const left = Object.entries(parties).filter(([connectionId]) => isConnected(connectionId))
  const connected = new Set(left.map(([, id]) => id))
  const kept = Object.entries(pins).filter(([id, pin]) => !isRemovable(pin, id, connected))
  return { pins: Object.fromEntries(kept), parties: Object.fromEntries(left) }
}
