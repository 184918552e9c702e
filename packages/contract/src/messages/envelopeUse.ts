/**
 * Milliseconds before and after the time in its id within which an envelope carries messages: half of their lifetime.
 * All messages of an envelope are sent within one lifetime, so none can be sent a second time once it has expired.
 */
export const envelopeUse = (retention: number): number => retention / 2

/** Milliseconds between `now` and the time in an id, earlier or later; Infinity if the id is not a UUIDv7. */
export function distanceFromId(id: string, now: number): number {
  if (id[14] !== '7') return Infinity
  return Math.abs(now - parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
