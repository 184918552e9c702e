import type { Ref } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type Incident, incidents, type RelatedEntry } from '@privity/contract/founder/incidents'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { usePages } from '../../../ui/table/usePages.ts'
import { callQuery } from '../../console/usePolling.ts'
import { relatedColumns } from './relatedColumns.tsx'
import { incidentTexts } from './texts.ts'

/** Rows per page: enough to see the course of events, and still short on a phone. */
const most = 20

const entryId = ({ id }: RelatedEntry) => id

interface RelatedLogsProps {
  incident: Incident
  headingRef: Ref<HTMLHeadingElement>
  onHide: () => void
}

/** Log entries of the users and addresses that an incident affects, newest first. */
export function RelatedLogs({ incident, headingRef, onHide }: RelatedLogsProps) {
  const texts = incidentTexts.related
  const pages = usePages(incident.id)
  const query = {
    incident: incident.id,
    // Fetch one entry more than a page, to know whether there is a next page.
    limit: most + 1,
    ...(pages.after !== undefined && { before: pages.after }),
  }
  const list = useQuery({
    ...callQuery(incidents.related, { query }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const { formatDate, formatTime } = useDateTime()
  const rows = list.data?.slice(0, most)
  const next = list.data !== undefined && list.data.length > most ? rows?.at(-1)?.id : undefined

  return (
    <Panel
      title={texts.title(incidentTexts.types[incident.type])}
      headingRef={headingRef}
      aside={
        <Button size="sm" onClick={onHide}>
          <X className="ic" />
          {texts.hide}
        </Button>
      }
      flush
    >
      <p className="inc-hint">{texts.hint}</p>
      <PagedTable
        fetching={list}
        problem={`${texts.notLoaded} ${messageFor(list.error, '')}`}
        none={<EmptyState title={texts.none} />}
        label={texts.title(incidentTexts.types[incident.type])}
        columns={relatedColumns((ms) => `${formatDate(ms)}, ${formatTime(ms)}`)}
        rows={rows}
        keyOf={entryId}
        pages={pages}
        next={next}
      />
    </Panel>
  )
}
