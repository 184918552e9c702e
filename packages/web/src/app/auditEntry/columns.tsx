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
  /** Date and time. */
  format: (ms: number) => string
  from: (address: string) => string
}

/** When something was done, and what else the log says of it: the last columns of every table of the log. */
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
