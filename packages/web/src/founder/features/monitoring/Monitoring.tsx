import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { monitoring } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import { ErrorState } from '../../../ui/feedback/Errors.tsx'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { usePolled } from '../../console/queries.ts'
import { HealthBadge, pollFailure, shownHealth } from './HealthBadge.tsx'
import { minutesOf } from './minutes.ts'
import { RatePanel } from './RatePanel.tsx'
import { RecentEvents } from './RecentEvents.tsx'
import { monitoringTexts as texts } from './texts.ts'
import { Tiles } from './Tiles.tsx'
import './monitoring.css'

export const monitoringId = 'monitoring'

/** The current activity of the server. A failed poll shows an error line and keeps the last data. */
export function Monitoring() {
  const stats = usePolled(monitoring.realtimeStats, {}, monitoringLimits.poll)
  const rate = usePolled(monitoring.messageRate, {}, monitoringLimits.ratePoll)
  const queryClient = useQueryClient()
  const { data } = stats
  const isFirst = stats.isFetching && !data

  function refresh(): void {
    for (const { path } of [monitoring.realtimeStats, monitoring.messageRate, monitoring.stats])
      void queryClient.refetchQueries({ queryKey: [path] })
  }

  return (
    <ConsoleSection
      id={monitoringId}
      title={texts.title}
      beside={
        <HealthBadge
          health={shownHealth(data, stats.isError)}
          problems={stats.isError ? [] : (data?.healthProblems ?? [])}
        />
      }
      aside={
        <>
          {data && <Updated at={stats.dataUpdatedAt} />}
          <Button size="sm" busy={isFirst} onClick={refresh}>
            {!isFirst && <RefreshCw className="ic" />}
            {texts.refresh}
          </Button>
        </>
      }
    >
      {stats.isError &&
        (data ? (
          <p className="mon-failed" role="status">
            {texts.notRefreshed} {pollFailure(stats.error)}
          </p>
        ) : (
          <ErrorState
            message={`${texts.notLoaded} ${pollFailure(stats.error)}`}
            busy={stats.isFetching}
            onRetry={refresh}
          />
        ))}
      <Tiles stats={data} minutes={rate.data && minutesOf(rate.data)} failed={stats.isError} />
      <div className="con-grid">
        <RatePanel rate={rate} />
        <RecentEvents events={data?.recentEvents} failed={stats.isError} />
      </div>
    </ConsoleSection>
  )
}

/** Age of the newest data, counted every second and not announced to screen readers. */
function Updated({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const age = Math.max(0, now - at)
  return (
    <span className={classes('num', 'mon-updated', age > monitoringLimits.stale && 'is-stale')} aria-live="off">
      {texts.updated(Math.floor(age / 1_000))}
    </span>
  )
}
