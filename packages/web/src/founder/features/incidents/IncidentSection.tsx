import { useState } from 'react'
import { type Incident, incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { sentenceOf } from '../../../core/callError.ts'
import { useDateTime } from '../../../core/dateTime.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { usePolled } from '../../console/usePolled.ts'
import { incidentColumns } from './incidentColumns.tsx'
import { IncidentDialog } from './IncidentDialog.tsx'
import { RelatedLogs } from './RelatedLogs.tsx'
import { incidentTexts as texts } from './texts.ts'
import { ThreatStrip } from './ThreatStrip.tsx'
import '../../../styles/panel.css'
import '../../../styles/incidents.css'

export const incidentsId = 'incidents'

const incidentId = ({ id }: Incident) => id

/** Section 2 of the console: what the detection rules have found, and the investigation of one of it. */
export function IncidentSection() {
  const list = usePolled(incidents.list, {}, limits.incidentsPoll)
  const level = usePolled(incidents.dashboard, {}, limits.incidentsPoll)
  const [chosen, setChosen] = useState<Incident>()
  const [related, setRelated] = useState<Incident>()
  const { formatDate, formatTime } = useDateTime()
  // As the newest answer has it; what is over since is shown as it last was.
  const investigated = chosen && (list.data?.find(({ id }) => id === chosen.id) ?? chosen)
  const failed = [
    [list, texts.notLoaded],
    [level, texts.levelNotLoaded],
  ] as const

  return (
    <ConsoleSection id={incidentsId} title={texts.section} beside={<span className="muted">{texts.window}</span>}>
      {failed.map(
        ([query, problem]) =>
          query.isError && (
            <ErrorState
              key={problem}
              message={`${problem} ${sentenceOf(query.error, '')}`}
              busy={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          ),
      )}
      <div className="panel panel-flush">
        <ThreatStrip dashboard={level.data} />
        <IncidentTable
          incidents={list.data}
          failed={list.isError}
          format={(ms) => `${formatDate(ms)}, ${formatTime(ms)}`}
          onDetails={setChosen}
        />
      </div>
      {related && <RelatedLogs incident={related} onHide={() => setRelated(undefined)} />}
      <IncidentDialog
        incident={investigated}
        onClose={() => setChosen(undefined)}
        onRelated={(incident) => {
          setChosen(undefined)
          setRelated(incident)
        }}
      />
    </ConsoleSection>
  )
}

interface IncidentTableProps {
  /** Undefined while loading. */
  incidents: readonly Incident[] | undefined
  failed?: boolean
  format: (ms: number) => string
  onDetails: (incident: Incident) => void
}

export function IncidentTable({ incidents: open, failed = false, format, onDetails }: IncidentTableProps) {
  if (open === undefined && failed) return null
  if (open?.length === 0) return <p className="inc-clear">{texts.allClear}</p>
  const shown = open?.slice(0, limits.incidentsShown)
  return (
    <>
      <DataTable label={texts.table} columns={incidentColumns({ format, onDetails })} rows={shown} keyOf={incidentId} />
      {open && shown && open.length > shown.length && (
        <p className="inc-more">{texts.more(shown.length, open.length)}</p>
      )}
    </>
  )
}
