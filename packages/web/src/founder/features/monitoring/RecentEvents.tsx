import { useId } from 'react'
import type { RecentEvent } from '@privity/contract/founder/monitoring'
import { machineTime } from '../../../i18n/dateTime.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { clockSeconds } from './minutes.ts'
import { monitoringTexts } from './texts.ts'

/** Formats an event type: screenshot_attempt becomes SCREENSHOT ATTEMPT. */
export const eventName = (type: string): string => type.replaceAll('_', ' ').toUpperCase()

interface RecentEventsProps {
  /** Undefined while loading or if loading failed. */
  events: readonly RecentEvent[] | undefined
  failed?: boolean
}

export function RecentEvents({ events, failed = false }: RecentEventsProps) {
  const id = useId()
  const texts = monitoringTexts.events
  return (
    <section className="panel c5 mon-events" aria-labelledby={id}>
      <div className="panel-h">
        <h3 className="h-panel" id={id}>
          {texts.title}
        </h3>
        <span className="panel-aside subtle">{texts.last}</span>
      </div>
      {events === undefined && failed && <EmptyState title={texts.notLoaded} />}
      {events === undefined && !failed && (
        <AfterDelay>
          <div className="panel-b">
            <Skeleton width="100%" height={320} />
          </div>
        </AfterDelay>
      )}
      {events?.length === 0 && <EmptyState title={texts.none} />}
      {events && events.length > 0 && (
        <ol>
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
    </section>
  )
}

function EventRow({ event }: { event: RecentEvent }) {
  const texts = monitoringTexts.events
  const { severity, username, eventType, eventDescription, createdAt } = event
  return (
    <li className="mon-event">
      <SeverityBadge severity={severity} label={texts.severities[severity]} />
      <span className="mon-who">
        <b>{username ?? texts.unknownUser}</b> <span className="mon-what">{eventName(eventType)}</span>
        {eventDescription !== undefined && <span className="mon-how">{eventDescription}</span>}
      </span>
      <time dateTime={machineTime(createdAt)}>{clockSeconds(createdAt)}</time>
    </li>
  )
}
