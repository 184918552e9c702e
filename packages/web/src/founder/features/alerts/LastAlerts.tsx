import { type Alert, type AlertDelivery, alerts } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { usePolled } from '../../console/usePolling.ts'
import { alertTexts } from './texts.ts'
import '../../../ui/badge/badge.css'

const texts = alertTexts.last
const tones = { sent: 'success', waiting: 'warning', failed: 'critical', logged: 'outline' } as const

/** The newest alerts with their delivery state on each channel. */
export function LastAlerts() {
  const list = usePolled(alerts.list, { query: { limit: limits.alertsShown } }, limits.alertsPoll)
  return (
    <div className="alert-last">
      <h3 id="last-alerts">{texts.title}</h3>
      {list.isError && (
        <ErrorState
          message={`${texts.notLoaded} ${reasonOf(list.error)}`}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data?.length === 0 && <p className="hint">{texts.none}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <div className="alert-list" role="region" aria-labelledby="last-alerts" tabIndex={0}>
          <ul>
            {list.data.map((alert) => (
              <LastAlert key={alert.id} alert={alert} />
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function LastAlert({ alert }: { alert: Alert }) {
  const { formatDate, formatTime } = useDateTime()
  const { type, kind, subject, heldBack, createdAt, deliveries } = alert
  return (
    <li>
      <span className="alert-what">
        <b>{alertTexts.type[type]}</b> {kind === 'test' ? texts.test : subject}
        {kind === 'digest' && `, ${texts.digest(heldBack)}`}
      </span>
      <time dateTime={new Date(createdAt).toISOString()} className="muted">
        {formatDate(createdAt)}, {formatTime(createdAt)}
      </time>
      <span className="alert-states">
        {deliveries.map((delivery) => (
          <DeliveryState key={delivery.channel} delivery={delivery} formatTime={formatTime} />
        ))}
      </span>
    </li>
  )
}

interface DeliveryStateProps {
  delivery: AlertDelivery
  formatTime: (ms: number) => string
}

function DeliveryState({ delivery: { channel, state, reason, nextAt }, formatTime }: DeliveryStateProps) {
  return (
    <span className="alert-state">
      <span className={`badge badge-${tones[state]}`}>
        {channel === 'log' ? texts.state.logged : `${texts.channel[channel]}: ${texts.state[state]}`}
      </span>
      {reason !== undefined && <span className="hint">{texts.reason[reason]}</span>}
      {nextAt !== undefined && reason !== undefined && <span className="hint">{texts.next(formatTime(nextAt))}</span>}
    </span>
  )
}
