import type { Ref } from 'react'
import { X } from 'lucide-react'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { type Incident, incidents, type RelatedEntry } from '@privity/contract/founder/incidents'
import { entryColumns, humanize } from '../../../app/auditEntry.tsx'
import { messageFor } from '../../../app/callError.ts'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { cutPage, usePage } from '../../console/queries.ts'
import { formatDateTime } from '../../console/values.tsx'
import { incidentTexts } from './texts.ts'

const texts = incidentTexts.related

/** Rows per page: enough to see the course of events, and still short on a phone. */
const pageSize = 20

interface RelatedLogsProps {
  incident: Incident
  headingRef: Ref<HTMLHeadingElement>
  onHide: () => void
}

/** Log entries of the users and addresses that an incident affects, newest first. */
export function RelatedLogs({ incident, headingRef, onHide }: RelatedLogsProps) {
  const pages = usePages(incident.id)
  const query = {
    incident: incident.id,
    limit: pageSize + 1,
    ...(pages.after !== undefined && { before: pages.after }),
  }
  const list = usePage(incidents.related, { query }, { refetchOnMount: 'always' })
  const title = texts.title(incidentTexts.types[incident.type])
  return (
    <Panel
      title={title}
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
        {...cutPage(list.data, pageSize)}
        fetching={list}
        problem={`${texts.notLoaded} ${messageFor(list.error, '')}`}
        none={<EmptyState title={texts.none} />}
        label={title}
        columns={relatedColumns}
        pages={pages}
      />
    </Panel>
  )
}

type Party = RelatedEntry['actor'] | NonNullable<RelatedEntry['target']>

/** Members by username, which the founder searches by. */
export function partyText(party: Party): string {
  if (party.kind === 'member') return party.username
  if (party.kind === 'deleted') return incidentTexts.deletedUser(deletedUserNumber(party.id))
  return party.kind === 'unknown' ? texts.unknown : texts.parties[party.kind]
}

const relatedColumns: readonly Column<RelatedEntry>[] = [
  {
    label: texts.columns.action,
    placeholder: 140,
    cell: ({ action, severity }) => (
      <span className="inc-action">
        {humanize(action)}
        {severity && <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />}
      </span>
    ),
  },
  {
    label: texts.columns.target,
    placeholder: 110,
    cell: ({ target }) => (target ? partyText(target) : <span className="subtle">{texts.nobody}</span>),
  },
  {
    label: texts.columns.performer,
    placeholder: 110,
    className: 'inc-performer',
    cell: ({ actor }) => <span>{partyText(actor)}</span>,
  },
  ...entryColumns<RelatedEntry>({ labels: texts.columns, format: formatDateTime, from: texts.from }),
]
