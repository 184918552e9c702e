import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { usePages } from '../../../ui/table/usePages.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { RailCount } from '../../console/RailCount.tsx'
import { callQuery } from '../../console/usePolling.ts'
import { requestColumns } from './columns.tsx'
import { supportListTexts as texts } from './texts.ts'
import { WholeRequest } from './RequestDialog.tsx'
import '../../../ui/badge/badge.css'
import '../../../ui/panel/panel.css'
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
  const list = useQuery({ ...callQuery(founderSupportRequests.list, { query }), placeholderData: keepPreviousData })
  const { formatDate, formatTime } = useDateTime()
  const [opened, setOpened] = useState<ListedRequest>()
  const format = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`
  return (
    <ConsoleSection
      id="support-requests"
      title={texts.title}
      beside={
        list.data && (
          <span className={list.data.open > 0 ? 'count count-warn' : 'count'}>{formatNumber(list.data.open)}</span>
        )
      }
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
          problem={`${texts.notLoaded} ${reasonOf(list.error)}`}
          none={pages.page === 1 && <EmptyState title={texts.none[shown]}>{texts.noneHint}</EmptyState>}
          label={texts.table}
          columns={requestColumns({ format, onOpen: setOpened })}
          rows={list.data?.requests}
          keyOf={requestId}
          isOff={isHandled}
          pages={pages}
          next={list.data?.next}
        />
      </div>
      {opened && <WholeRequest request={opened} format={format} onClose={() => setOpened(undefined)} />}
    </ConsoleSection>
  )
}

export function OpenRequestsCount() {
  const { data } = useQuery(callQuery(founderSupportRequests.list, firstPage))
  return <RailCount count={data?.open ?? 0} tone="warn" label={texts.railCount} />
}
