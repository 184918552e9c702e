import type { Incident } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { incidentColumns } from './incidentColumns.tsx'
import { incidentTexts as texts } from './texts.ts'
import './incidents.css'

const incidentId = ({ id }: Incident) => id

/** Filter of the list. */
export type Shown = keyof typeof texts.shown
const choices: readonly Shown[] = ['open', 'acknowledged']

interface IncidentTableProps {
  /** Undefined while loading. */
  incidents: readonly Incident[] | undefined
  failed?: boolean
  shown: Shown
  onShow: (shown: Shown) => void
  format: (ms: number) => string
  onDetails: (incident: Incident) => void
}

/** The most severe incidents; nothing if loading failed, because the error is shown above. */
export function IncidentTable(props: IncidentTableProps) {
  const { incidents: all, failed = false, shown, onShow, format, onDetails } = props
  if (all === undefined && failed) return null
  if (all?.length === 0) return <p className="inc-clear">{texts.allClear}</p>
  const isAcknowledged = ({ acknowledgement }: Incident) => acknowledgement !== undefined
  const matching = all?.filter((incident) => isAcknowledged(incident) === (shown === 'acknowledged'))
  const rows = matching?.slice(0, limits.incidentsShown)
  const hasChoice = shown === 'acknowledged' || all?.some(isAcknowledged)
  return (
    <>
      {hasChoice && (
        <div className="inc-shown">
          <Segmented
            label={texts.show}
            value={shown}
            options={choices.map((value) => ({ value, label: texts.shown[value] }))}
            onChange={onShow}
          />
        </div>
      )}
      {rows?.length === 0 ? (
        <p className={shown === 'open' ? 'inc-clear' : 'inc-none'}>{texts.none[shown]}</p>
      ) : (
        <DataTable
          label={texts.table}
          columns={incidentColumns({ format, onDetails })}
          rows={rows}
          keyOf={incidentId}
        />
      )}
      {matching && rows && matching.length > rows.length && (
        <p className="inc-more">{texts.more[shown](rows.length, matching.length)}</p>
      )}
    </>
  )
}
