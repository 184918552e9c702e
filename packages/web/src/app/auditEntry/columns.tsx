import { EntryDetails } from '../../ui/table/EntryDetails.tsx'
import type { Column } from '../../ui/table/column.ts'
import { machineTime } from '../../i18n/dateTime.ts'
import { serializeDetails } from './details.ts'

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
