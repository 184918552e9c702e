import { useId, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MessageRate } from '@privity/contract/founder/monitoring'
import { formatNumber } from '../../../i18n/language.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { loadLater } from '../../../ui/lazy.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { LoadError } from '../../console/LoadError.tsx'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { clockTime, type Minute, minutesOf, summaryOf } from './minutes.ts'
import { monitoringTexts } from './texts.ts'
import './rateChart.css'

const texts = monitoringTexts.rate
const chart = loadLater(() => import('./RateChart.tsx'))

/** Messages per minute of the last hour, as a chart or a table. */
export function RatePanel({ rate }: { rate: UseQueryResult<MessageRate> }) {
  const id = useId()
  const [isTable, setIsTable] = useState(false)
  const minutes = rate.data && minutesOf(rate.data)
  return (
    <section className="panel c7 rate" aria-labelledby={id}>
      <div className="panel-h">
        <h3 className="h-panel" id={id}>
          {texts.title}
        </h3>
        <div className="panel-aside rate-aside">
          <span className="rate-legend">
            <i className="rate-line" aria-hidden="true" />
            {texts.messages}
          </span>
          <span className="rate-legend">
            <i className="rate-flag" aria-hidden="true" />
            {texts.flagged}
          </span>
          <Button size="sm" variant="ghost" onClick={() => setIsTable(!isTable)}>
            {isTable ? texts.asChart : texts.asTable}
          </Button>
        </div>
      </div>
      {rate.isError && !minutes && (
        <div className="panel-b">
          <LoadError query={rate} title={texts.notLoaded} />
        </div>
      )}
      <div className="rate-body">
        {!minutes && !rate.isError && (
          <AfterDelay>
            <Skeleton width="100%" height={280} />
          </AfterDelay>
        )}
        {minutes && (isTable ? <RateTable minutes={minutes} /> : <LateChart minutes={minutes} />)}
      </div>
      {minutes && <Figures minutes={minutes} />}
    </section>
  )
}

/** The chart's code is loaded after the page is shown. */
function LateChart({ minutes }: { minutes: readonly Minute[] }) {
  const loaded = useStore(chart)
  if (!loaded) return <Skeleton width="100%" height={280} />
  return <loaded.RateChart minutes={minutes} />
}

const columns: readonly Column<Minute>[] = [
  { label: texts.minute, placeholder: 40, cell: ({ at }) => clockTime(at) },
  { label: texts.messages, right: true, placeholder: 30, cell: ({ messages }) => formatNumber(messages) },
  { label: texts.flagged, right: true, placeholder: 30, cell: ({ flags }) => formatNumber(flags) },
]

/** Newest minute first. Focusable, so that the keyboard can scroll it. */
function RateTable({ minutes }: { minutes: readonly Minute[] }) {
  const rows = minutes.map((minute) => ({ ...minute, id: String(minute.at) })).toReversed()
  return (
    <div className="rate-table" role="region" aria-label={texts.title} tabIndex={0}>
      <DataTable label={texts.title} columns={columns} rows={rows} />
    </div>
  )
}

function Figures({ minutes }: { minutes: readonly Minute[] }) {
  const { now, average, max } = summaryOf(minutes)
  const figures = [
    [texts.now, now],
    [texts.average, average],
    [texts.peak, max],
  ] as const
  return (
    <dl className="con-figures rate-figures">
      {figures.map(([label, value]) => (
        <Fact key={label} label={label}>
          {formatNumber(value)}
        </Fact>
      ))}
    </dl>
  )
}
