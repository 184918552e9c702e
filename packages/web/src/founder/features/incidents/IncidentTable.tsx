import type { Incident } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { incidentColumns } from './incidentColumns.tsx'
import { incidentTexts as texts } from './texts.ts'
import '../../../styles/incidents.css'

const incidentId = ({ id }: Incident) => id

interface IncidentTableProps {
  /** Undefined while loading. */
  incidents: readonly Incident[] | undefined
  failed?: boolean
  format: (ms: number) => string
  onDetails: (incident: Incident) => void
}

/** The gravest incidents; nothing where they could not be loaded, which is said above. */
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
