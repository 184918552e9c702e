import { canSealTo, isInTime } from '@privity/contract/epochTimes'
import type { EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import type { Absence } from '../types.ts'

/** Undefined while a contact has an epoch of this time. `epoch`: the newest of theirs that has begun. */
export const absenceOf = (epoch: EpochKey, now: number): Absence | undefined =>
  isInTime(epoch, now) ? undefined : { since: epoch.createdAt, canReceive: canSealTo(epoch, now) }

/** Within this time, two readings of the clock in one publication are the same. */
const sameTimeMs = 60_000

/**
 * Since when a contact has certainly had keys of each time, by what they signed: what was sent to them before may have
 * expired early, with the last keys of an absence. Epochs that go on from those before begin when these end; only where
 * there were none, they begin when they are made. With "Only approved browsers" each visit replaces the epochs that lie
 * ahead: one that was made less than 8 hours before it begins may have taken the place of one made after an absence.
 */
export function presentSince({ createdAt, startsAt }: EpochKey): number {
  const epochs = (startsAt - createdAt) / limits.epochDuration
  const isAfterNone = Math.abs(epochs - Math.round(epochs)) * limits.epochDuration < sameTimeMs
  return isAfterNone || epochs < 1 ? createdAt : -Infinity
}
