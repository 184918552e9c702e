import type { ReactNode } from 'react'
import { formatDate, formatTime, machineTime } from '../../i18n/dateTime.ts'
import { fullName } from '../../i18n/names.ts'
import '../../ui/panel/facts.css'

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

/** A term and its value in a `dl`, such as one of facts.css. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
