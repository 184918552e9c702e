import { limits } from '@privity/contract/limits'
import { incidentTexts } from './texts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Time until 24 hours after the last event, rounded up to whole minutes. */
export function timeRemaining(lastSeen: number, now: number): string {
  const left = lastSeen + limits.incidentOpen - now
  if (left <= 0) return incidentTexts.expired
  const { days, hours, minutes } = incidentTexts.duration
  const whole = Math.ceil(left / minute) * minute
  const parts = [
    [Math.floor(whole / day), days],
    [Math.floor((whole % day) / hour), hours],
    [(whole % hour) / minute, minutes],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first)
    .map(([count, write]) => write(count))
    .join(' ')
}
