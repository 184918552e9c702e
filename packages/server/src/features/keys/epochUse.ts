import { type EpochTimes, isInTime } from '@privity/contract/epochTimes'
import type { EpochRow } from '../../core/database/tables/users.ts'
import type { Reader } from '../../core/database/types.ts'

/** When an epoch is used: its signed times, and its end or the start of the epoch that took its place before. */
export interface EpochUse extends EpochTimes {
  usedUntil: number
}

/** Whether something may be sealed to an epoch now. One that another has taken the place of is refused at once. */
export const isInUse = (use: EpochUse, now: number): boolean =>
  isInTime(use, now) && (use.usedUntil === use.endsAt || now < use.usedUntil)

/**
 * SQL: when an epoch is no longer used. Once it has begun, none ends it that begins before it: the clock that dated
 * that one was behind. Parameter: now.
 */
export const endOfUse = 'case when used_until < starts_at and starts_at <= ? then ends_at else used_until end'

/** As `endOfUse`. */
export const endOfUseOf = (row: Pick<EpochRow, 'starts_at' | 'ends_at' | 'used_until'>, now: number): number =>
  row.used_until < row.starts_at && row.starts_at <= now ? row.ends_at : row.used_until

/** When an epoch of this user is used. */
export const findEpochUse = (db: Reader, userId: string, n: number): Promise<EpochUse | undefined> =>
  db.get(
    `select starts_at as "startsAt", ends_at as "endsAt", used_until as "usedUntil" from epochs
     where user_id = ? and n = ?`,
    [userId, n],
  )
