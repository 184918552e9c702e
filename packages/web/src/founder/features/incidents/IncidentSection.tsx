import { useRef, useState } from 'react'
import { type Incident, incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { ConsoleSection, RailCount } from '../../console/ConsoleSection.tsx'
import { LoadError } from '../../console/LoadError.tsx'
import { usePolled } from '../../console/queries.ts'
import { IncidentDialog } from './IncidentDialog.tsx'
import { IncidentTable, type IncidentFilter } from './IncidentTable.tsx'
import { RelatedLogs } from './RelatedLogs.tsx'
import { incidentTexts as texts } from './texts.ts'
import { ThreatStrip } from './ThreatStrip.tsx'
import '../../../ui/panel/panel.css'
import './incidents.css'

export const incidentsId = 'incidents'

const useThreatLevel = () => usePolled(incidents.dashboard, {}, limits.incidentsPoll)

/** Section 2 of the console: incidents found by the detection rules, and the investigation of one. */
export function IncidentSection() {
  const list = usePolled(incidents.list, {}, limits.incidentsPoll)
  const level = useThreatLevel()
  const [opened, setOpened] = useState<Incident>()
  const [filter, setFilter] = useState<IncidentFilter>('open')
  const [related, setRelated] = useState<Incident>()
  const heading = useRef<HTMLHeadingElement>(null)
  const toRelated = useRef(false)
  // Use the newest version of the incident; one that has left the list is shown as it last was.
  const investigated = opened && (list.data?.find(({ id }) => id === opened.id) ?? opened)
  return (
    <ConsoleSection id={incidentsId} title={texts.section} beside={<span className="muted">{texts.window}</span>}>
      <LoadError query={list} title={texts.notLoaded} />
      <LoadError query={level} title={texts.levelNotLoaded} />
      {![list, level].every(({ data, isError }) => isError && !data) && (
        <div className="panel panel-flush">
          <ThreatStrip dashboard={level.data} failed={level.isError} />
          <IncidentTable
            incidents={list.data}
            failed={list.isError}
            filter={filter}
            onFilter={setFilter}
            onDetails={setOpened}
          />
        </div>
      )}
      {related && <RelatedLogs incident={related} headingRef={heading} onHide={() => setRelated(undefined)} />}
      <IncidentDialog
        incident={investigated}
        onClose={() => setOpened(undefined)}
        onRelated={(incident) => {
          toRelated.current = true
          setOpened(undefined)
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

export function IncidentCount() {
  const { critical = 0, high = 0, medium = 0, low = 0 } = useThreatLevel().data?.severityCounts ?? {}
  return (
    <RailCount count={critical + high + medium + low} tone={critical + high > 0 ? 'crit' : 'warn'} label={texts.open} />
  )
}
