import { useRef, useState } from 'react'
import { Ban, Trash2 } from 'lucide-react'
import { type FounderUser, founderUsers, type FounderUserSort } from '@privity/contract/founder/users'
import { formatDate } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/field/SearchField.tsx'
import { type Column, type Sorting, spellSorting } from '../../../ui/table/columns.ts'
import { RowButton } from '../../../ui/table/DataTable.tsx'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { useStore } from '../../../ui/useStore.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { loadFailure } from '../../console/LoadError.tsx'
import { listRows, usePage } from '../../console/queries.ts'
import { shownOrganization, usersId } from '../../console/userFilter.ts'
import { Time } from '../../console/values.tsx'
import { ConfirmUserChange, type UserChange } from './ConfirmUserChange.tsx'
import { OrganizationFilter } from './OrganizationFilter.tsx'
import { userTexts as texts } from './texts.ts'
import '../../console/founderLists.css'
import '../../../ui/badge/badge.css'

const defaultSorting: Sorting<FounderUserSort> = { by: 'name', descending: false }
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

const roleBadges = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

type OnChange = (user: FounderUser, change: UserChange) => void

export function userColumns(onChange: OnChange): Column<FounderUser, FounderUserSort>[] {
  const { columns } = texts
  return [
    { label: columns.firstName, sort: 'name', placeholder: 70, cell: (user) => <FirstName user={user} /> },
    {
      label: columns.lastName,
      placeholder: 80,
      className: 'fl-last',
      cell: (user) => <b className="fl-name">{user.lastName || texts.missing}</b>,
    },
    {
      label: columns.email,
      sort: 'email',
      placeholder: 160,
      className: 'fl-email',
      cell: (user) => (
        <span className="muted">
          <EmailText address={user.email} />
        </span>
      ),
    },
    { label: columns.username, placeholder: 90, className: 'fl-long', cell: (user) => <span>{user.username}</span> },
    {
      label: columns.organization,
      placeholder: 90,
      className: 'fl-long',
      cell: ({ organization }) => <span dir="auto">{organization.name}</span>,
    },
    {
      label: columns.role,
      placeholder: 70,
      className: 'fl-half',
      cell: ({ role }) => <span className={`badge ${roleBadges[role]}`}>{role.replaceAll('_', ' ')}</span>,
    },
    { label: columns.status, placeholder: 70, className: 'fl-half', cell: (user) => <UserState user={user} /> },
    {
      label: columns.joined,
      sort: 'joined',
      placeholder: 80,
      className: 'fl-half',
      cell: ({ createdAt }) => <Time at={createdAt} format={formatDate} />,
    },
    {
      label: columns.actions,
      right: true,
      placeholder: 130,
      className: 'fl-half fl-do',
      cell: (user) => <ChangeButtons user={user} onChange={onChange} />,
    },
  ]
}

/** In the stacked layout, the first line shows the full name. */
function FirstName({ user: { firstName, lastName } }: { user: FounderUser }) {
  return (
    <span>
      {firstName || texts.missing}
      {lastName !== '' && <span className="fl-whole"> {lastName}</span>}
    </span>
  )
}

/** A suspended user is shown as suspended, even if also inactive. */
function UserState({ user }: { user: Pick<FounderUser, 'isActive' | 'suspended'> }) {
  if (user.suspended)
    return (
      <span className="badge badge-critical">
        <Ban className="ic ic-sm" />
        {texts.suspended}
      </span>
    )
  return (
    <span className={user.isActive ? 'status status-success' : 'status muted'}>
      <span className={user.isActive ? 'dot dot-success' : 'dot dot-off'} aria-hidden="true" />
      {user.isActive ? texts.active : texts.inactive}
    </span>
  )
}

function ChangeButtons({ user, onChange }: { user: FounderUser; onChange: OnChange }) {
  const { username, suspended } = user
  return (
    <div className="row-acts">
      <Button
        size="sm"
        className="fl-toggle"
        aria-label={suspended ? texts.unsuspendName(username) : texts.suspendName(username)}
        onClick={() => onChange(user, suspended ? 'unsuspend' : 'suspend')}
      >
        {suspended ? texts.unsuspend : texts.suspend}
      </Button>
      <RowButton danger label={texts.removeName(username)} icon={Trash2} onClick={() => onChange(user, 'remove')} />
    </div>
  )
}
