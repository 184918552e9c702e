import { messageTexts } from '../texts.ts'

const minute = 60_000
const hour = 60 * minute

export interface Expiry {
  text: string
  /** Under an hour: amber. */
  soon: boolean
  /** The part of its life still to come, 0 to 1. */
  left: number
}

/** 'disappears in 19 h', or minutes under one hour. Times in milliseconds. */
export function expiryOf({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }, now: number): Expiry {
  const rest = Math.max(0, expiresAt - now)
  const life = Math.max(1, expiresAt - createdAt)
  return { text: messageTexts.expiry(duration(rest)), soon: rest < hour, left: Math.min(1, rest / life) }
}

function duration(rest: number): string {
  // to the nearest hour: what was just sent has 24 of them
  if (rest >= hour) return messageTexts.hours(Math.round(rest / hour))
  const minutes = Math.floor(rest / minute)
  return minutes > 0 ? messageTexts.minutes(minutes) : messageTexts.underMinute
}
