import type { Incident } from '@privity/contract/founder/incidents'
import { machineTime } from '../../../core/dateTime.ts'
import { Button } from '../../../ui/Button.tsx'
import { SeverityBadge } from '../../../ui/SeverityBadge.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { incidentTexts } from './texts.ts'
import { eventWords } from './words.ts'

interface IncidentColumns {
  /** Date and time. */
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
      cell: ({ severity }) => <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />,
    },
    {
      label: columns.description,
      placeholder: 280,
      className: 'wide',
      cell: ({ description }) => <span className="muted">{description}</span>,
    },
    {
      label: columns.affected,
      placeholder: 90,
      cell: ({ affectedUserCount, affectedIPCount }) => (
        <span className="nowrap">{incidentTexts.affected(affectedUserCount, affectedIPCount)}</span>
      ),
    },
    {
      label: columns.events,
      placeholder: 30,
      right: true,
      cell: (incident) => <span className="num">{eventWords(incident)}</span>,
    },
    {
      label: columns.lastSeen,
      placeholder: 110,
      right: true,
      cell: ({ lastSeen }) => (
        <time className="inc-time nowrap" dateTime={machineTime(lastSeen)}>
          {format(lastSeen)}
        </time>
      ),
    },
    {
      label: columns.details,
      placeholder: 60,
      right: true,
      cell: (incident) => (
        <Button
          size="sm"
          aria-label={incidentTexts.detailsOf(incidentTexts.types[incident.type])}
          onClick={() => onDetails(incident)}
        >
          {incidentTexts.details}
        </Button>
      ),
    },
  ]
}
