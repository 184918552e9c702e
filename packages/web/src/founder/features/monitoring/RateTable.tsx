import { formatNumber } from '../../../i18n/language.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { type Column } from '../../../ui/table/column.ts'
import { clockTime } from './clockTime.ts'
import type { Minute } from './minutes.ts'
import { monitoringTexts } from './texts.ts'

const columns = (): Column<Minute>[] => {
  const texts = monitoringTexts.rate
  return [
    { label: texts.minute, placeholder: 40, cell: ({ at }) => clockTime(at) },
    { label: texts.messages, right: true, placeholder: 30, cell: ({ messages }) => formatNumber(messages) },
    { label: texts.flagged, right: true, placeholder: 30, cell: ({ flags }) => formatNumber(flags) },
  ]
}

const keyOf = ({ at }: Minute) => String(at)

/** Newest minute first. Focusable, so that the keyboard can scroll it. */
export function RateTable({ minutes }: { minutes: readonly Minute[] }) {
  const { title } = monitoringTexts.rate
  return (
    <div className="rate-table" role="region" aria-label={title} tabIndex={0}>
      <DataTable label={title} columns={columns()} rows={minutes.toReversed()} keyOf={keyOf} />
    </div>
  )
}
