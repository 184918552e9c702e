import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { changeAddressQuery, useAddressQuery } from '../../core/address.ts'
import { sentenceOf } from '../../core/callError.ts'
import { useDateTime } from '../../core/dateTime.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { Pager } from '../../ui/table/Pager.tsx'
import { usePages } from '../../ui/table/usePages.ts'
import { AuditExport } from './AuditExport.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { auditColumns } from './columns.tsx'
import { isFiltered, readFilter } from './filter.ts'
import { partyWords } from './people.ts'
import type { FindPeople } from './PersonFilter.tsx'
import { entriesQuery } from './queries.ts'
import { auditTexts } from './texts.ts'
import '../../styles/admin.css'

const entryId = ({ id }: AuditLogEntry) => id

/** The person's name, as one of these entries has it. */
function nameOf(person: string, entries: readonly AuditLogEntry[]): string | undefined {
  const parties = entries.flatMap(({ actor, target }) => (target ? [actor, target] : [actor]))
  const found = parties.find((party) => party.kind === 'member' && party.id === person)
  return found && partyWords(found)
}

/** What happened in the organization, newest first. */
export function AuditLog({ client, findPeople }: { client: Client; findPeople: FindPeople }) {
  const filter = readFilter(useAddressQuery())
  const pages = usePages(JSON.stringify(filter))
  const list = useQuery(entriesQuery(client, filter, pages.after))
  const { formatDate, formatTime } = useDateTime()
  // Of whom there is no entry under the other filters, only this knows the name.
  const [chosen, setChosen] = useState<{ id: string; name: string }>()
  const personName = chosen?.id === filter.person ? chosen.name : undefined
  const { data } = list

  function onPerson(id: string, name: string) {
    setChosen({ id, name })
    changeAddressQuery({ person: id })
  }

  const { next } = data ?? {}
  return (
    <Panel title={auditTexts.title} aside={<AuditExport client={client} />} flush>
      <AuditFilters
        client={client}
        filter={filter}
        personName={personName ?? nameOf(filter.person, data?.entries ?? [])}
        findPeople={findPeople}
        onPerson={onPerson}
      />
      {list.isError && (
        <div className="adm-error">
          <ErrorState
            message={`${auditTexts.notLoaded} ${sentenceOf(list.error, '')}`}
            busy={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      {data?.entries.length === 0 ? (
        <EmptyState title={auditTexts.none}>{isFiltered(filter) && auditTexts.noneHint}</EmptyState>
      ) : (
        (data || !list.isError) && (
          <DataTable
            label={auditTexts.title}
            columns={auditColumns({ format: (ms) => `${formatDate(ms)}, ${formatTime(ms)}`, onPerson })}
            rows={data?.entries}
            keyOf={entryId}
            stale={list.isPlaceholderData}
          />
        )
      )}
      <Pager
        page={pages.page}
        busy={list.isPlaceholderData}
        onPrevious={pages.toPrevious}
        onNext={next ? () => pages.toNext(next) : undefined}
      />
    </Panel>
  )
}
