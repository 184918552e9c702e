import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { changeAddressQuery, useAddressQuery } from '../../browser/address.ts'
import { messageFor } from '../../app/callError.ts'
import { useDateTime } from '../../i18n/dateTime.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../ui/panel/Panel.tsx'
import { PagedTable, usePages } from '../../ui/table/PagedTable.tsx'
import { AuditExport } from './AuditExport.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { isFiltered, isReversed, readFilter } from './filter.ts'
import type { FindPeople } from './PersonFilter.tsx'
import { entriesQuery, personQuery } from './queries.ts'
import { auditTexts } from './texts.ts'
import { findPersonName, describeEntry, type AuditPerson, auditPersonName } from './entryText.ts'
import { entryColumns } from '../../app/auditEntry.tsx'
import { EmailText } from '../../ui/EmailText.tsx'
import type { Column } from '../../ui/table/columns.ts'
import '../../app/screens/admin.css'
import './auditLog.css'

/** The organization's audit log, newest first. */
export function AuditLog({ client, findPeople }: { client: Client; findPeople: FindPeople }) {
  const filter = readFilter(useAddressQuery())
  const pages = usePages(JSON.stringify(filter))
  const reversed = isReversed(filter)
  const list = useQuery({ ...entriesQuery(client, filter, pages.after), enabled: !reversed })
  const { formatDate, formatTime } = useDateTime()
  const [typed, onType] = useState('')
  const [chosen, setChosen] = useState<{ id: string; name: string }>()
  const { data } = list
  const shownName = chosen?.id === filter.person ? chosen.name : findPersonName(data?.entries ?? [], filter.person)
  // A person without entries under the other filters has some without them: fetch the name from there.
  const personFetch = useQuery({
    ...personQuery(client, filter.person),
    enabled: filter.person !== '' && shownName === undefined,
  })

  function onPerson(id: string, name: string) {
    setChosen({ id, name })
    onType('')
    changeAddressQuery({ person: id })
  }

  return (
    <Panel title={auditTexts.title} aside={<AuditExport client={client} />} flush>
      <AuditFilters
        client={client}
        filter={filter}
        personName={shownName ?? personFetch.data ?? undefined}
        choice={{ typed, onType, findPeople, onPerson }}
      />
      {typed.trim() !== '' ? (
        <EmptyState title={auditTexts.filter.unchosen}>
          {auditTexts.filter.unchosenHint} {auditTexts.filter.nobodyHint}
        </EmptyState>
      ) : (
        !reversed && (
          <PagedTable
            fetching={list}
            problem={`${auditTexts.notLoaded} ${messageFor(list.error, '')}`}
            none={<EmptyState title={auditTexts.none}>{isFiltered(filter) && auditTexts.noneHint}</EmptyState>}
            label={auditTexts.title}
            columns={auditColumns({ format: (ms) => `${formatDate(ms)}, ${formatTime(ms)}`, onPerson })}
            rows={data?.entries}
            pages={pages}
            next={data?.next}
          />
        )
      )}
    </Panel>
  )
}

interface AuditColumns {
  /** Formats a date with its time. */
  format: (ms: number) => string
  onPerson: (id: string, name: string) => void
}

function auditColumns({ format, onPerson }: AuditColumns) {
  const { columns } = auditTexts
  const personCell = (person: AuditPerson, content: ReactNode = auditPersonName(person)) =>
    person.kind === 'member' || person.kind === 'deleted' ? (
      <button
        type="button"
        className="adm-person"
        title={auditTexts.onlyAbout(auditPersonName(person))}
        onClick={() => onPerson(person.id, auditPersonName(person))}
      >
        {content}
      </button>
    ) : (
      <span className="muted">{content}</span>
    )
  const result: Column<AuditLogEntry>[] = [
    { label: columns.action, placeholder: 120, cell: describeEntry },
    {
      label: columns.target,
      placeholder: 160,
      className: 'adm-email',
      cell: ({ target, targetUserEmail }) =>
        target ? (
          personCell(target, targetUserEmail && <EmailText address={targetUserEmail} />)
        ) : (
          <span className="subtle">{auditTexts.nobody}</span>
        ),
    },
    { label: columns.performer, placeholder: 110, cell: ({ actor }) => personCell(actor) },
    ...entryColumns<AuditLogEntry>({ labels: columns, format, from: auditTexts.from }),
  ]
  return result
}
