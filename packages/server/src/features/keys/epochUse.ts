import { type EpochTimes, isInTime } from '@privity/contract/epochTimes'
import type { Reader } from '../../core/database/types.ts'

/** When an epoch is used: its signed times, and its end or the start of the epoch that took its place before. */
export interface EpochUse extends EpochTimes {
  usedUntil: number
}

/** Whether something may be sealed to an epoch now. One that another has taken the place of is refused at once. */
export const isInUse = (use: EpochUse, now: number): boolean =>
  isInTime(use, now) && (use.usedUntil === use.endsAt || now < use.usedUntil)

/** When an epoch of this user is used. */
export const findEpochUse = (db: Reader, userId: string, n: number): Promise<EpochUse | undefined> =>
  db.get(
    `select starts_at as "startsAt", ends_at as "endsAt", used_until as "usedUntil" from epochs
     where user_id = ? and n = ?`,
    [userId, n],
  )
