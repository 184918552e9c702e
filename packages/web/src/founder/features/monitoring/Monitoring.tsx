import { RefreshCw } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { monitoring } from '@privity/contract/founder/monitoring'
import { Button } from '../../../ui/button/Button.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { HealthBadge } from './HealthBadge.tsx'
import { useMessageRate, useRealtimeStats } from './queries.ts'
import { minutesOf } from './minutes.ts'
import { RatePanel } from './RatePanel.tsx'
import { RecentEvents } from './RecentEvents.tsx'
import { pollFailure, shownHealth } from './shownHealth.ts'
import { monitoringTexts as texts } from './texts.ts'
import { Tiles } from './Tiles.tsx'
import { Updated } from './Updated.tsx'
import '../../../ui/panel/panel.css'
import './monitoring.css'

export const monitoringId = 'monitoring'

/** The current activity of the server. A failed poll shows an error line and keeps the last data. */
export function Monitoring() {
  const stats = useRealtimeStats()
  const rate = useMessageRate()
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
