import { useId, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MessageRate } from '@privity/contract/founder/monitoring'
import { reasonOf } from '../../console/failureReason.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { loadLater } from '../../../ui/lazy.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { type Minute, minutesOf, summaryOf } from './minutes.ts'
import { RateTable } from './RateTable.tsx'
import { monitoringTexts } from './texts.ts'
import './rateChart.css'

const chart = loadLater(() => import('./RateChart.tsx'))

/** Messages per minute of the last hour, as a chart or a table. */
export function RatePanel({ rate }: { rate: UseQueryResult<MessageRate> }) {
  const id = useId()
  const texts = monitoringTexts.rate
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
          <ErrorState
            message={`${texts.notLoaded} ${reasonOf(rate.error)}`}
            busy={rate.isFetching}
            onRetry={() => void rate.refetch()}
          />
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

function Figures({ minutes }: { minutes: readonly Minute[] }) {
  const texts = monitoringTexts.rate
  const { now, average, most } = summaryOf(minutes)
  const figures = [
    [texts.now, now],
    [texts.average, average],
    [texts.peak, most],
  ] as const
  return (
    <dl className="rate-figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
