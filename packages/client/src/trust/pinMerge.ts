import type { Pin, PinList } from './pinList.ts'

/** The result of merging the list that a browser knows with a newer one. */
export interface Merged {
  list: PinList
  /** The newer list is not one that honest browsers derive from the known one. */
  altered: boolean
  /** An entry that the newer list had lost is restored: saving it informs the other browsers. */
  restored: boolean
}

/** Whether `newer` continues `known`: it has the same key, or one that the user has accepted in place of it. */
const follows = (known: Pin, newer: Pin): boolean =>
  newer.identityKey === known.identityKey || newer.previous.includes(known.identityKey)

/** Whether `removeClosedConnections` removes this pin: one that the user has never marked. */
const isRemovable = ({ verifiedAt, paused, pausedAt }: Pin, id: string, connected: ReadonlySet<string>): boolean =>
  verifiedAt === 0 && pausedAt === 0 && !paused && !connected.has(id)

/** Whether what the user said at `known` counts, not what they said at `newer`; `isSafer`: where both are equal. */
const counts = (known: number, newer: number, isSafer: boolean): boolean =>
  known > newer || (known === newer && isSafer)

/**
 * Each mark as the user set it last. The server can show a list that was made without the change here: an honest one
 * only has later dates.
 */
function mergeMarks(known: Pin, newer: Pin): Pin {
  const isSameKey = known.identityKey === newer.identityKey
  const isVerificationKept = isSameKey && counts(known.verifiedAt, newer.verifiedAt, newer.verified && !known.verified)
  const isPauseKept = counts(known.pausedAt, newer.pausedAt, known.paused && !newer.paused)
  return {
    ...newer,
    ...(isVerificationKept && { verified: known.verified, verifiedAt: known.verifiedAt, name: known.name }),
    ...(isPauseKept && { paused: known.paused, pausedAt: known.pausedAt }),
  }
}

/**
 * Merges a newer list into the known one. The server chooses the list that a browser gets, and a browser that gets none
 * starts its own, so a newer pin counts only if it continues the known one. Of two keys that do not succeed each other,
 * the verified one counts, otherwise the known one, and always where the user accepted it in place of the other.
 */
export function mergePins(known: PinList, newer: PinList): Merged {
  const pins = { ...newer.pins }
  const parties = { ...newer.parties }
  const connected = new Set(Object.values(known.parties))
  let [altered, restored] = [false, false]
  for (const [id, pin] of Object.entries(known.pins)) {
    const other = newer.pins[id]
    if (other && follows(pin, other)) {
      const merged = mergeMarks(pin, other)
      const isOther = merged.verified !== other.verified || merged.paused !== other.paused
      pins[id] = merged
      altered ||= isOther
      restored ||= isOther
      continue
    }
    if (!other && isRemovable(pin, id, connected)) continue
    altered = true
    if (other?.verified && !pin.verified && !pin.previous.includes(other.identityKey)) continue
    pins[id] = pin
    restored ||= other === undefined || (pin.verified && !other.verified)
  }
  for (const [connectionId, id] of Object.entries(known.parties)) {
    // A missing entry may have been removed for lack of space: it is kept, and is no sign of alteration.
    altered ||= (newer.parties[connectionId] ?? id) !== id
    parties[connectionId] = id
  }
  return { list: { pins, parties }, altered, restored }
}

/** Removes closed connections, and the pins without a mark of users who are no contact any more. */
export function removeClosedConnections(
  { pins, parties }: PinList,
  isConnected: (connectionId: string) => boolean,
): PinList {
  const left = Object.entries(parties).filter(([connectionId]) => isConnected(connectionId))
  const connected = new Set(left.map(([, id]) => id))
  const kept = Object.entries(pins).filter(([id, pin]) => !isRemovable(pin, id, connected))
  return { pins: Object.fromEntries(kept), parties: Object.fromEntries(left) }
}
