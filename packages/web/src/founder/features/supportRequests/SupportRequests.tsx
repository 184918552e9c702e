import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { ConsoleSection, RailCount, SectionCount } from '../../console/ConsoleSection.tsx'
import { loadFailure } from '../../console/LoadError.tsx'
import { callQuery, usePage } from '../../console/queries.ts'
import { PersonName, Time } from '../../console/values.tsx'
import { RequestDialog, RequestState } from './RequestDialog.tsx'
import { supportListTexts as texts } from './texts.ts'
import '../../console/founderLists.css'

type Filter = keyof typeof texts.shown
const filters: readonly Filter[] = ['open', 'closed', 'all']
const isHandled = ({ state }: ListedRequest) => state === 'closed'

/** The first page of open requests, whose response also has their number: shared by section and rail. */
const firstPage = { query: { state: 'open' as const } }

/** Requests that members sent under Help & Support. */
export function SupportRequests() {
  const [filter, setFilter] = useState<Filter>('open')
  const pages = usePages(filter)
  const query = {
    ...(filter !== 'all' && { state: filter }),
    ...(pages.after !== undefined && { after: pages.after }),
  }
  const list = usePage(founderSupportRequests.list, { query })
  const [opened, setOpened] = useState<ListedRequest>()
  return (
    <ConsoleSection
      id="support-requests"
      title={texts.title}
      beside={<SectionCount count={list.data?.open} tone="warn" />}
      aside={
        <Segmented
          label={texts.show}
          value={filter}
          options={filters.map((value) => ({ value, label: texts.shown[value] }))}
          onChange={setFilter}
        />
      }
    >
      <div className="panel panel-flush">
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${loadFailure(list.error)}`}
          none={pages.page === 1 && <EmptyState title={texts.none[filter]}>{texts.noneHint}</EmptyState>}
          label={texts.table}
          columns={requestColumns(setOpened)}
          rows={list.data?.requests}
          isOff={isHandled}
          pages={pages}
          next={list.data?.next}
        />
      </div>
      {opened && <RequestDialog request={opened} onClose={() => setOpened(undefined)} />}
    </ConsoleSection>
  )
}

export function OpenRequestsCount() {
  const { data } = useQuery(callQuery(founderSupportRequests.list, firstPage))
  return <RailCount count={data?.open ?? 0} tone="warn" label={texts.railCount} />
}

const priorityBadges = {
  low: 'badge-outline',
  normal: 'badge-outline',
  high: 'badge-warning',
  urgent: 'badge-critical',
}

export function requestColumns(onOpen: (request: ListedRequest) => void): Column<ListedRequest>[] {
  const { columns } = texts
  return [
    { label: columns.reference, placeholder: 110, cell: ({ reference }) => <code className="mono">{reference}</code> },
    { label: columns.subject, placeholder: 180, className: 'fl-long', cell: ({ subject }) => <span>{subject}</span> },
    { label: columns.category, placeholder: 100, cell: ({ category }) => texts.categories[category] },
    {
      label: columns.priority,
      placeholder: 60,
      cell: ({ priority }) => <span className={`badge ${priorityBadges[priority]}`}>{texts.priorities[priority]}</span>,
    },
    {
      label: columns.from,
      placeholder: 120,
      className: 'fl-long',
      cell: ({ from }) => (
        <span>
          <PersonName person={from} />
        </span>
      ),
    },
    { label: columns.sent, placeholder: 110, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: columns.state, placeholder: 60, cell: ({ state }) => <RequestState state={state} /> },
    {
      label: columns.actions,
      right: true,
      placeholder: 60,
      cell: (request) => (
        <Button size="sm" aria-label={texts.viewReference(request.reference)} onClick={() => onOpen(request)}>
          {texts.view}
        </Button>
      ),
    },
  ]
}
