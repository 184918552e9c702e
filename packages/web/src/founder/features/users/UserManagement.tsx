import { useRef, useState } from 'react'
import { type FounderUser, type FounderUserSort, founderUsers } from '@privity/contract/founder/users'
import { formatNumber } from '../../../i18n/language.ts'
import { useStore } from '../../../ui/useStore.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/field/SearchField.tsx'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { type Sorting, spellSorting } from '../../../ui/table/columns.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { loadFailure } from '../../console/LoadError.tsx'
import { listRows, usePage } from '../../console/queries.ts'
import { shownOrganization, usersId } from '../../console/userFilter.ts'
import { userColumns } from './columns.tsx'
import { ConfirmUserChange, type UserChange } from './ConfirmUserChange.tsx'
import { OrganizationFilter } from './OrganizationFilter.tsx'
import { userTexts as texts } from './texts.ts'
import '../../console/founderLists.css'

const defaultSorting: Sorting<FounderUserSort> = { by: 'name', descending: false }
const userId = ({ id }: FounderUser) => id
const isDisabled = ({ isActive, suspended }: FounderUser) => !isActive || suspended

/** The users of all organizations or of one; searched on the server while typing. */
export function UserManagement() {
  const [search, setSearch] = useState('')
  const [sorting, setSorting] = useState(defaultSorting)
  const organization = useStore(shownOrganization)
  const pages = usePages(`${spellSorting(sorting)} ${organization} ${search}`)
  const query = {
    limit: listRows,
    sort: sorting.by,
    direction: sorting.descending ? ('desc' as const) : ('asc' as const),
    ...(search !== '' && { search }),
    ...(organization !== '' && { organization }),
    ...(pages.after !== undefined && { after: pages.after }),
  }
  const list = usePage(founderUsers.list, { query })
  const panel = useRef<HTMLDivElement>(null)
  const [change, setChange] = useState<{ user: FounderUser; change: UserChange }>()
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
            <SearchField label={texts.search} hint={texts.searchHint} value={search} onSearch={setSearch} />
          </div>
        </>
      }
    >
      <p className="sr" role="status">
        {(search !== '' || organization !== '') && count !== undefined && !list.isPlaceholderData && texts.found(count)}
      </p>
      <div className="panel panel-flush" ref={panel} tabIndex={-1}>
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${loadFailure(list.error)}`}
          none={
            search === '' ? (
              <EmptyState title={organization === '' ? texts.none : texts.noneHere} />
            ) : (
              <EmptyState title={texts.noMatch}>{texts.noMatchHint}</EmptyState>
            )
          }
          label={texts.table}
          columns={userColumns((user, kind) => setChange({ user, change: kind }))}
          rows={data?.users}
          keyOf={userId}
          isOff={isDisabled}
          sorting={sorting}
          onSort={setSorting}
          pages={pages}
          next={data?.next}
        />
      </div>
      {change && (
        <ConfirmUserChange
          {...change}
          onClose={(isRemoved) => {
            setChange(undefined)
            if (isRemoved) panel.current?.focus()
          }}
        />
      )}
    </ConsoleSection>
  )
}
