import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { usePages } from '../../../ui/table/usePages.ts'
import { ConsoleSection, RailCount, SectionCount } from '../../console/ConsoleSection.tsx'
import { loadFailure } from '../../console/LoadError.tsx'
import { callQuery, usePage } from '../../console/queries.ts'
import { requestColumns } from './columns.tsx'
import { RequestDialog } from './RequestDialog.tsx'
import { supportListTexts as texts } from './texts.ts'
import '../../console/founderLists.css'

type Shown = keyof typeof texts.shown
const choices: readonly Shown[] = ['open', 'closed', 'all']
const requestId = ({ id }: ListedRequest) => id
const isHandled = ({ state }: ListedRequest) => state === 'closed'

/** The first page of open requests, whose response also has their number: shared by section and rail. */
const firstPage = { query: { state: 'open' as const } }

/** Requests that members sent under Help & Support. */
export function SupportRequests() {
  const [shown, setShown] = useState<Shown>('open')
  const pages = usePages(shown)
  const query = {
    ...(shown !== 'all' && { state: shown }),
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
          value={shown}
          options={choices.map((value) => ({ value, label: texts.shown[value] }))}
          onChange={setShown}
        />
      }
    >
      <div className="panel panel-flush">
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${loadFailure(list.error)}`}
          none={pages.page === 1 && <EmptyState title={texts.none[shown]}>{texts.noneHint}</EmptyState>}
          label={texts.table}
          columns={requestColumns(setOpened)}
          rows={list.data?.requests}
          keyOf={requestId}
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
