import { useRef, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FounderUser, type FounderUserSort, founderUsers } from '@privity/contract/founder/users'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { useStore } from '../../../ui/useStore.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/field/SearchField.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { type Sorting, spellSorting } from '../../../ui/table/sorting.ts'
import { usePages } from '../../../ui/table/usePages.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { listRows } from '../../console/pageSize.ts'
import { shownOrganization, usersId } from '../../console/userFilter.ts'
import { callQuery } from '../../console/usePolling.ts'
import type { Act } from './userActions.ts'
import { ActOnUser } from './UserActions.tsx'
import { userColumns } from './columns.tsx'
import { OrganizationFilter } from './OrganizationFilter.tsx'
import { userTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'
import '../../../ui/panel/panel.css'
import '../../console/founderLists.css'

const usual: Sorting<FounderUserSort> = { by: 'name', descending: false }
const userId = ({ id }: FounderUser) => id
const isOff = ({ isActive, suspended }: FounderUser) => !isActive || suspended

/** The users of all organizations or of one; searched on the server while typing. */
export function UserManagement() {
  const [wanted, setWanted] = useState('')
  const [sorting, setSorting] = useState(usual)
  const organization = useStore(shownOrganization)
  const pages = usePages(`${spellSorting(sorting)} ${organization} ${wanted}`)
  const query = {
    limit: listRows,
    sort: sorting.by,
    direction: sorting.descending ? ('desc' as const) : ('asc' as const),
    ...(wanted !== '' && { search: wanted }),
    ...(organization !== '' && { organization }),
    ...(pages.after !== undefined && { after: pages.after }),
  }
  const list = useQuery({ ...callQuery(founderUsers.list, { query }), placeholderData: keepPreviousData })
  const { formatDate } = useDateTime()
  const top = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState<{ user: FounderUser; act: Act }>()
  const { data } = list
  const count = data && (data.more ? texts.more(formatNumber(data.total)) : formatNumber(data.total))
  return (
    <ConsoleSection
      id={usersId}
      title={texts.title}
      beside={count !== undefined && <span className="count">{count}</span>}
      aside={
        <>
          <OrganizationFilter
            value={organization}
            name={data?.users.find((user) => user.organization.id === organization)?.organization.name}
            onChange={shownOrganization.set}
          />
          <div className="fl-search">
            <SearchField label={texts.search} hint={texts.searchHint} value={wanted} onSearch={setWanted} />
          </div>
        </>
      }
    >
      <p className="sr" role="status">
        {(wanted !== '' || organization !== '') && count !== undefined && !list.isPlaceholderData && texts.found(count)}
      </p>
      <div className="panel panel-flush" ref={top} tabIndex={-1}>
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${reasonOf(list.error)}`}
          none={
            wanted === '' ? (
              <EmptyState title={organization === '' ? texts.none : texts.noneHere} />
            ) : (
              <EmptyState title={texts.noMatch}>{texts.noMatchHint}</EmptyState>
            )
          }
          label={texts.table}
          columns={userColumns({ formatDate, onAct: (user, act) => setAsked({ user, act }) })}
          rows={data?.users}
          keyOf={userId}
          isOff={isOff}
          sorting={sorting}
          onSort={setSorting}
          pages={pages}
          next={data?.next}
        />
      </div>
      {asked && (
        <ActOnUser
          {...asked}
          onClose={(gone) => {
            setAsked(undefined)
            if (gone) top.current?.focus()
          }}
        />
      )}
    </ConsoleSection>
  )
}
