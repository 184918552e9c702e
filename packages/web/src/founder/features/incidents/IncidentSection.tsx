import { useRef, useState } from 'react'
import { type Incident, incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { usePolled } from '../../console/usePolling.ts'
import { IncidentDialog } from './IncidentDialog.tsx'
import { IncidentTable, type Shown } from './IncidentTable.tsx'
import { RelatedLogs } from './RelatedLogs.tsx'
import { incidentTexts as texts } from './texts.ts'
import { ThreatStrip } from './ThreatStrip.tsx'
import '../../../ui/panel/panel.css'
import './incidents.css'

export const incidentsId = 'incidents'

/** Section 2 of the console: incidents found by the detection rules, and the investigation of one. */
export function IncidentSection() {
  const list = usePolled(incidents.list, {}, limits.incidentsPoll)
  const level = usePolled(incidents.dashboard, {}, limits.incidentsPoll)
  const [chosen, setChosen] = useState<Incident>()
  const [shown, setShown] = useState<Shown>('open')
  const [related, setRelated] = useState<Incident>()
  const { formatDate, formatTime } = useDateTime()
  const heading = useRef<HTMLHeadingElement>(null)
  const toRelated = useRef(false)
  // Use the newest version of the incident; one that has left the list is shown as it last was.
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
              message={`${problem} ${reasonOf(query.error)}`}
              busy={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          ),
      )}
      {!failed.every(([{ data, isError }]) => isError && !data) && (
        <div className="panel panel-flush">
          <ThreatStrip dashboard={level.data} failed={level.isError} />
          <IncidentTable
            incidents={list.data}
            failed={list.isError}
            shown={shown}
            onShow={setShown}
            format={(ms) => `${formatDate(ms)}, ${formatTime(ms)}`}
            onDetails={setChosen}
          />
        </div>
      )}
      {related && <RelatedLogs incident={related} headingRef={heading} onHide={() => setRelated(undefined)} />}
      <IncidentDialog
        incident={investigated}
        onClose={() => setChosen(undefined)}
        onRelated={(incident) => {
          toRelated.current = true
          setChosen(undefined)
          setRelated(incident)
        }}
        onClosed={(event) => {
          if (!toRelated.current) return
          toRelated.current = false
          event.preventDefault()
          heading.current?.focus()
        }}
      />
    </ConsoleSection>
  )
}
