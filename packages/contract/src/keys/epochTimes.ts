import { limits } from '../limits.ts'

/** When an epoch is used: its signed times; `endsAt` may be earlier, where a later epoch has begun before it. */
export interface EpochTimes {
  startsAt: number
  endsAt: number
}

/** Whether messages may be sealed to an epoch, with tolerance for clocks that differ. */
export const isInTime = ({ startsAt, endsAt }: EpochTimes, now: number): boolean =>
  now >= startsAt - limits.epochGrace && now < endsAt + limits.epochGrace

/**
 * Whether a message may be sealed to the epoch that a contact has now: in its time, and after it until its seed is
 * destroyed, because then it is the last of a contact who is away.
 */
export const canSealTo = (epoch: EpochTimes, now: number): boolean =>
  isInTime(epoch, now) || (now >= epoch.endsAt && now < destructionTime(epoch))

/** When the seed of an epoch is destroyed, everywhere and whoever is there. Nothing sealed to it may live longer. */
export const destructionTime = ({ endsAt }: Pick<EpochTimes, 'endsAt'>): number => endsAt + limits.retention

/**
 * When epochs (by number, oldest first) are no longer used: at their signed end, or when a later one begins, if that is
 * before: the clock that dated them was ahead, or a new identity has taken the place of theirs. Once one has begun, no
 * other ends it that begins before it: the clock that dated that one was behind.
 */
export function usedUntil(epochs: readonly EpochTimes[], now: number): number[] {
  return epochs.map(({ startsAt, endsAt }, index) => {
    const later = epochs.slice(index + 1).map((epoch) => epoch.startsAt)
    return Math.min(endsAt, ...(startsAt <= now ? later.filter((time) => time >= startsAt) : later))
  })
}
