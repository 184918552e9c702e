import { formatDate, formatTime, machineTime } from '../../i18n/dateTime.ts'
import { fullName } from '../../i18n/names.ts'
import { formatNumber } from '../../i18n/language.ts'
import { AfterDelay, Skeleton } from '../../ui/feedback/Progress.tsx'

/** Date and time in the console's only format: it has no preferences. */
export const formatDateTime = (ms: number): string => `${formatDate(ms)}, ${formatTime(ms)}`

/** A point in time; by default the date with its time. */
export function Time({ at, format = formatDateTime }: { at: number; format?: (ms: number) => string }) {
  return (
    <time className="num" dateTime={machineTime(at)}>
      {format(at)}
    </time>
  )
}

/** A member's name with the username, which alone is unique. */
export function PersonName({ person }: { person: { firstName: string; lastName: string; username: string } }) {
  return (
    <>
      {fullName(person)} <span className="subtle">@{person.username}</span>
    </>
  )
}

/** A number; a dash if it failed to load, or a skeleton of this size while it loads. */
export function Figure(props: { value: number | undefined; failed: boolean; width: number; height: number }) {
  const { value, failed, width, height } = props
  if (value !== undefined) return formatNumber(value)
  if (failed) return '-'
  return (
    <AfterDelay>
      <Skeleton width={width} height={height} />
    </AfterDelay>
  )
}
