import { limits } from '../limits.ts'

/**
 * How long (ms) after the time in its id an envelope carries messages: half of the message lifetime. Once a message has
 * expired, this window is over, so the message cannot be stored a second time.
 */
export const envelopeUse = (lifetime: number): number => lifetime / 2

/** The time (ms) in an id; undefined if it is not a UUIDv7. */
export const timeOfId = (id: string): number | undefined =>
  id[14] === '7' ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined

/** Milliseconds between `now` and the time in an id, earlier or later; Infinity if the id is not a UUIDv7. */
export const distanceFromId = (id: string, now: number): number => Math.abs(now - (timeOfId(id) ?? Infinity))

/**
 * Whether a message may be stored under an envelope with this id. Recipients take all messages under an envelope to be
 * younger than it, so it must not be dated further ahead than clocks differ, nor than a quarter of the lifetime.
 */
export function canCarryMessages(id: string, now: number, lifetime: number): boolean {
  const age = now - (timeOfId(id) ?? -Infinity)
  return age < envelopeUse(lifetime) && -age < Math.min(limits.clockTolerance, envelopeUse(lifetime) / 2)
}
