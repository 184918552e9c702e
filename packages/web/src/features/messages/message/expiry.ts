import { messageTexts } from '../texts.ts'

const minute = 60_000
const hour = 60 * minute

export interface Expiry {
  text: string
  /** Less than an hour is left: shown in amber. */
  soon: boolean
  /** Remaining fraction of the message's lifetime, 0 to 1. */
  left: number
}

/** Text such as 'disappears in 19 h', in minutes below one hour. Times are in milliseconds. */
export function expiryOf({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }, now: number): Expiry {
  const rest = Math.max(0, expiresAt - now)
  const life = Math.max(1, expiresAt - createdAt)
  return { text: messageTexts.expiry(duration(rest)), soon: rest < hour, left: Math.min(1, rest / life) }
}

function duration(rest: number): string {
  // Round to the nearest hour, so that a new message shows 24.
  if (rest >= hour) return messageTexts.hours(Math.round(rest / hour))
  const minutes = Math.floor(rest / minute)
  return minutes > 0 ? messageTexts.minutes(minutes) : messageTexts.underMinute
}
