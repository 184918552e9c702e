import { canSealTo, isInTime } from '@privity/contract/epochTimes'
import type { EpochKey } from '@privity/contract/keys'
import type { Absence } from '../types.ts'

/** Undefined while a contact has an epoch of this time. `epoch`: the newest of theirs that has begun. */
export const absenceOf = (epoch: EpochKey, now: number): Absence | undefined =>
  isInTime(epoch, now) ? undefined : { since: epoch.createdAt, canReceive: canSealTo(epoch, now) }
