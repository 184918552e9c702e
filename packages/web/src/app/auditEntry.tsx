import type { Column } from '../ui/table/columns.ts'
import { machineTime } from '../i18n/dateTime.ts'
import './auditEntry.css'

/** Converts snake_case for display: `user_role_changed` becomes "User role changed". */
export function humanize(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Details = Readonly<Record<string, string | number | boolean | null>>

/** Returns an entry's details as stored, with formatted times; an empty string if there are none. */
export function serializeDetails(details: Details, format: (ms: number) => string): string {
  if (Object.keys(details).length === 0) return ''
  return JSON.stringify(details, (key, value: unknown) =>
    typeof value === 'number' && key.endsWith('At') ? format(value) : value,
  )
}

/** Serialized details of a log entry, and its origin. */
function EntryDetails({ text, from }: { text: string; from: string | undefined }) {
  return (
    <span className="entry-details">
      <code>{text}</code>
      {from && <span className="entry-from">{from}</span>}
    </span>
  )
}

interface LoggedEntry {
  performedAt: number
  details: Parameters<typeof serializeDetails>[0]
  address?: string | undefined
}

interface EntryColumns {
  labels: { time: string; details: string }
  /** Formats a date with its time. */
  format: (ms: number) => string
  from: (address: string) => string
}

/** The columns for time and details, which end every audit log table. */
export const entryColumns = <Entry extends LoggedEntry>({ labels, format, from }: EntryColumns): Column<Entry>[] => [
  {
    label: labels.time,
    placeholder: 140,
    cell: ({ performedAt }) => (
      <time className="num nowrap" dateTime={machineTime(performedAt)}>
        {format(performedAt)}
      </time>
    ),
  },
  {
    label: labels.details,
    placeholder: 180,
    className: 'wide',
    cell: ({ details, address }) => (
      <EntryDetails text={serializeDetails(details, format)} from={address === undefined ? undefined : from(address)} />
    ),
  },
]
