import type { Incident } from '@privity/contract/founder/incidents'
import { machineTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { incidentTexts } from './texts.ts'
import { eventWords, subjectWords } from './words.ts'

interface IncidentColumns {
  /** Formats a date with its time. */
  format: (ms: number) => string
  onDetails: (incident: Incident) => void
}

export function incidentColumns({ format, onDetails }: IncidentColumns): Column<Incident>[] {
  const { columns } = incidentTexts
  return [
    {
      label: columns.type,
      placeholder: 130,
      className: 'inc-type',
      cell: ({ type }) => incidentTexts.types[type],
    },
    {
      label: columns.severity,
      placeholder: 70,
      className: 'inc-sev',
      cell: ({ severity }) => <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />,
    },
    {
      label: columns.description,
      placeholder: 280,
      className: 'inc-desc',
      cell: (incident) => <Description incident={incident} />,
    },
    {
      label: columns.affected,
      placeholder: 90,
      className: 'inc-who',
      cell: ({ affectedUserCount, affectedIPCount }) => (
        <span className="nowrap">{incidentTexts.affected(affectedUserCount, affectedIPCount)}</span>
      ),
    },
    {
      label: columns.events,
      placeholder: 30,
      className: 'inc-count',
      right: true,
      cell: (incident) => <span className="num">{eventWords(incident)}</span>,
    },
    {
      label: columns.lastSeen,
      placeholder: 110,
      className: 'inc-seen',
      right: true,
      cell: ({ lastSeen }) => (
        <time className="inc-time" dateTime={machineTime(lastSeen)}>
          {format(lastSeen)}
        </time>
      ),
    },
    {
      label: columns.details,
      placeholder: 60,
      className: 'inc-act',
      right: true,
      cell: (incident) => (
        <Button
          size="sm"
          aria-label={incidentTexts.detailsOf(incidentTexts.types[incident.type], subjectWords(incident))}
          onClick={() => onDetails(incident)}
        >
          {incidentTexts.details}
        </Button>
      ),
    },
  ]
}

function Description({ incident }: { incident: Incident }) {
  const subject = subjectWords(incident)
  return (
    <span className="inc-what">
      <span className="muted">{incident.description}</span>
      {subject !== undefined && <b>{subject}</b>}
    </span>
  )
}
