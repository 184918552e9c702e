import { canSealTo, isInTime } from '@privity/contract/epochTimes'
import type { EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import type { Absence } from '../types.ts'

/** Undefined while a contact has an epoch of this time. `epoch`: the newest of theirs that has begun. */
export const absenceOf = (epoch: EpochKey, now: number): Absence | undefined =>
  isInTime(epoch, now) ? undefined : { since: epoch.createdAt, canReceive: canSealTo(epoch, now) }

/** Two readings of the clock in one publication differ by less than this. */
const sameTimeMs = 60_000

/**
 * Since when a contact has certainly had keys without a gap, by an epoch that they signed: a message that was sent to
 * them earlier may have expired with the last keys before an absence. An epoch begins when the one before it ends.
 * After an absence the first begins when it is made, and the others of its publication 8, 16 … hours later. With
 * "Only approved browsers" each visit replaces the epochs that lie ahead: one that was made less than 8 hours before
 * it begins may have replaced one that was made after an absence.
 */
export function presentSince({ createdAt, startsAt }: EpochKey): number {
  const epochsUntilStart = (startsAt - createdAt) / limits.epochDuration
  const isAfterAbsence = Math.abs(epochsUntilStart - Math.round(epochsUntilStart)) * limits.epochDuration < sameTimeMs
  return isAfterAbsence || epochsUntilStart < 1 ? createdAt : -Infinity
}
