import type { Incident } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { machineTime } from '../../../i18n/dateTime.ts'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { formatDateTime } from '../../console/values.tsx'
import { eventCountText, subjectText } from './incidentText.ts'
import { incidentTexts as texts } from './texts.ts'
import './incidents.css'

export type IncidentFilter = keyof typeof texts.shown
const filters: readonly IncidentFilter[] = ['open', 'acknowledged']

interface IncidentTableProps {
  /** Undefined while loading. */
  incidents: readonly Incident[] | undefined
  failed?: boolean
  filter: IncidentFilter
  onFilter: (filter: IncidentFilter) => void
  onDetails: (incident: Incident) => void
}

/** The most severe incidents; nothing if loading failed, because the error is shown above. */
export function IncidentTable(props: IncidentTableProps) {
  const { incidents: all, failed = false, filter, onFilter, onDetails } = props
  if (all === undefined && failed) return null
  if (all?.length === 0) return <p className="inc-clear">{texts.allClear}</p>
  const isAcknowledged = ({ acknowledgement }: Incident) => acknowledgement !== undefined
  const matching = all?.filter((incident) => isAcknowledged(incident) === (filter === 'acknowledged'))
  const rows = matching?.slice(0, limits.incidentsShown)
  const hasChoice = filter === 'acknowledged' || all?.some(isAcknowledged)
  return (
    <>
      {hasChoice && (
        <div className="inc-shown">
          <Segmented
            label={texts.show}
            value={filter}
            options={filters.map((value) => ({ value, label: texts.shown[value] }))}
            onChange={onFilter}
          />
        </div>
      )}
      {rows?.length === 0 ? (
        <p className={filter === 'open' ? 'inc-clear' : 'inc-none'}>{texts.none[filter]}</p>
      ) : (
        <DataTable label={texts.table} columns={incidentColumns(onDetails)} rows={rows} />
      )}
      {matching && rows && matching.length > rows.length && (
        <p className="inc-more">{texts.more[filter](rows.length, matching.length)}</p>
      )}
    </>
  )
}

function incidentColumns(onDetails: (incident: Incident) => void): Column<Incident>[] {
  const { columns } = texts
  return [
    { label: columns.type, placeholder: 130, className: 'inc-type', cell: ({ type }) => texts.types[type] },
    {
      label: columns.severity,
      placeholder: 70,
      className: 'inc-sev',
      cell: ({ severity }) => <SeverityBadge severity={severity} label={texts.severities[severity]} />,
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
        <span className="nowrap">{texts.affected(affectedUserCount, affectedIPCount)}</span>
      ),
    },
    {
      label: columns.events,
      placeholder: 30,
      className: 'inc-count',
      right: true,
      cell: (incident) => <span className="num">{eventCountText(incident)}</span>,
    },
    {
      label: columns.lastSeen,
      placeholder: 110,
      className: 'inc-seen',
      right: true,
      cell: ({ lastSeen }) => (
        <time className="inc-time" dateTime={machineTime(lastSeen)}>
          {formatDateTime(lastSeen)}
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
          aria-label={texts.detailsOf(texts.types[incident.type], subjectText(incident))}
          onClick={() => onDetails(incident)}
        >
          {texts.details}
        </Button>
      ),
    },
  ]
}

function Description({ incident }: { incident: Incident }) {
  const subject = subjectText(incident)
  return (
    <span className="inc-what">
      <span className="muted">{incident.description}</span>
      {subject !== undefined && <b>{subject}</b>}
    </span>
  )
}
