/**
 * How long (ms) before and after the time in its id an envelope carries messages: half of the message lifetime. Once a
 * message has expired, this window is over, so the message cannot be stored a second time.
 */
export const envelopeUse = (retention: number): number => retention / 2

/** Milliseconds between `now` and the time in an id, earlier or later; Infinity if the id is not a UUIDv7. */
export function distanceFromId(id: string, now: number): number {
  if (id[14] !== '7') return Infinity
  return Math.abs(now - parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
