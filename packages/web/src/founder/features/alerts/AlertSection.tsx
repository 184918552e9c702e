import { useQuery } from '@tanstack/react-query'
import { type Alert, type AlertDelivery, alerts } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import { formatTime, machineTime } from '../../../i18n/dateTime.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { ConsolePanel } from '../../console/ConsoleSection.tsx'
import { LoadError } from '../../console/LoadError.tsx'
import { callQuery, usePolled } from '../../console/queries.ts'
import { formatDateTime } from '../../console/values.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { TestAlert } from './TestAlert.tsx'
import { alertTexts as texts } from './texts.ts'
import './alertSettings.css'
import '../../../ui/badge/badge.css'

export const alertsId = 'alert-settings'

const lastTexts = texts.last
const tones = { sent: 'success', waiting: 'warning', failed: 'critical', logged: 'outline' } as const

/** Section 4 of the console: alert channels, a test alert and the latest alerts. */
export function AlertSection() {
  const settings = useQuery(callQuery(alerts.getSettings, {}))
  return (
    <ConsolePanel id={alertsId} title={texts.section}>
      {settings.isError ? (
        <LoadError query={settings} title={texts.settings.notLoaded} />
      ) : settings.data === undefined ? (
        <AfterDelay>
          <Skeleton width="100%" height={240} />
        </AfterDelay>
      ) : (
        <SettingsForm settings={settings.data}>
          <TestAlert />
        </SettingsForm>
      )}
      <LastAlerts />
    </ConsolePanel>
  )
}

/** The newest alerts with their delivery state on each channel. */
function LastAlerts() {
  const list = usePolled(alerts.list, { query: { limit: limits.alertsShown } }, limits.alertsPoll)
  return (
    <div className="alert-last">
      <h3 id="last-alerts">{lastTexts.title}</h3>
      <LoadError query={list} title={lastTexts.notLoaded} />
      {list.data?.length === 0 && <p className="hint">{lastTexts.none}</p>}
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
        <b>{texts.type[type]}</b> {kind === 'test' ? lastTexts.test : subject}
        {kind === 'digest' && `, ${lastTexts.digest(heldBack)}`}
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
        {channel === 'log' ? lastTexts.state.logged : `${lastTexts.channel[channel]}: ${lastTexts.state[state]}`}
      </span>
      {reason !== undefined && <span className="hint">{lastTexts.reason[reason]}</span>}
      {nextAt !== undefined && reason !== undefined && (
        <span className="hint">{lastTexts.next(formatTime(nextAt))}</span>
      )}
    </span>
  )
}
