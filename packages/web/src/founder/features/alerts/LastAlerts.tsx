import { type Alert, type AlertDelivery, alerts } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import { formatTime, machineTime } from '../../../i18n/dateTime.ts'
import { LoadError } from '../../console/LoadError.tsx'
import { usePolled } from '../../console/queries.ts'
import { formatDateTime } from '../../console/values.tsx'
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
      <LoadError query={list} title={texts.notLoaded} />
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
  const { type, kind, subject, heldBack, createdAt, deliveries } = alert
  return (
    <li>
      <span className="alert-what">
        <b>{alertTexts.type[type]}</b> {kind === 'test' ? texts.test : subject}
        {kind === 'digest' && `, ${texts.digest(heldBack)}`}
      </span>
      <time dateTime={machineTime(createdAt)} className="muted">
        {formatDateTime(createdAt)}
      </time>
      <span className="alert-states">
        {deliveries.map((delivery) => (
          <DeliveryState key={delivery.channel} delivery={delivery} />
        ))}
      </span>
    </li>
  )
}

function DeliveryState({ delivery: { channel, state, reason, nextAt } }: { delivery: AlertDelivery }) {
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
