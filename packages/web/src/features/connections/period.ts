import { connectionTexts } from './texts.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** '24 hours', for a whole number of hours, minutes or seconds (ms). */
export function periodWords(ms: number): string {
  const { hours, minutes, seconds } = connectionTexts.manage.period
  if (ms % hour === 0) return hours(ms / hour)
  return ms % minute === 0 ? minutes(ms / minute) : seconds(Math.round(ms / second))
}
