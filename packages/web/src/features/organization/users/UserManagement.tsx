import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationUser, UserSort } from '@privity/contract/organization'
import type { User } from '@privity/contract/session'
import { changeAddressQuery, useAddressQuery } from '../../../browser/address.ts'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { SearchField } from '../../../ui/field/SearchField.tsx'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { readSorting, type Sorting, spellSorting } from '../../../ui/table/columns.ts'
import { DeleteUser, ResetFactor } from './AccountActions.tsx'
import { InviteButton } from '../invitations/InviteButton.tsx'
import { currentQuery, userSorts, usersQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { userColumns } from './userColumns.tsx'
import { roleChange, statusChange, unlocking } from './userChanges.ts'
import '../../../app/screens/admin.css'

const usual: Sorting<UserSort> = { by: 'name', descending: false }
const search = (q: string) => changeAddressQuery({ q }, true)
const sort = (sorting: Sorting<UserSort>) =>
  changeAddressQuery({ sort: spellSorting(sorting) === spellSorting(usual) ? undefined : spellSorting(sorting) })
const isOff = ({ isActive, suspended }: OrganizationUser) => !isActive || suspended

/** The organization's users. Search and sorting are stored in the address. */
export function UserManagement({ client, me }: { client: Client; me: User }) {
  const texts = organizationTexts.users
  const address = useAddressQuery()
  const wanted = address.get('q') ?? ''
  const order = address.get('sort') ?? ''
  const sorting = readSorting(order, userSorts) ?? usual
  const pages = usePages(`${order} ${wanted}`)
  const statistics = useQuery(currentQuery(client)).data?.statistics
  const list = useQuery(usersQuery(client, { search: wanted, sorting }, pages.after))
  const { formatDate } = useDateTime()
  const [deleted, setDeleted] = useState<OrganizationUser>()
  const [reset, setReset] = useState<OrganizationUser>()
  const { mutate: setRole } = useMutation(roleChange(client))
  const { mutate: setActive } = useMutation(statusChange(client))
  const { mutate: unlock } = useMutation(unlocking(client))
  // Renders every minute, because a lock expires without an event.
  useStore(everyMinute)
  const now = client.now()
  const columns = userColumns({
    me,
    isLocked: ({ lockedUntil = 0 }) => lockedUntil > now,
    formatDate,
    onSetRole: (user, role) => setRole({ user, role }),
    onSetActive: (user, isActive) => setActive({ user, isActive }),
    onResetFactor: setReset,
    onUnlock: (user) => unlock(user),
    onDelete: setDeleted,
  })

  const { data } = list
  const count = data && (data.more ? texts.more(formatNumber(data.total)) : formatNumber(data.total))
  return (
    <Panel
      title={texts.title}
      count={count}
      aside={
        statistics && (
          <span className="adm-counts">
            {texts.counts(formatNumber(statistics.active), formatNumber(statistics.inactive))}
          </span>
        )
      }
      flush
    >
      <div className="tbl-tools">
        <SearchField label={texts.search} hint={texts.searchHint} value={wanted} onSearch={search} />
        <InviteButton client={client} me={me} />
      </div>
      <p className="sr" role="status">
        {wanted !== '' && count !== undefined && !list.isPlaceholderData && texts.found(count)}
      </p>
      <PagedTable
        fetching={list}
        problem={`${texts.notLoaded} ${messageFor(list.error, '')}`}
        none={<NoUsers wanted={wanted} />}
        label={texts.table}
        columns={columns}
        rows={data?.users}
        isOff={isOff}
        sorting={sorting}
        onSort={sort}
        pages={pages}
        next={data?.next}
      />
      {reset && <ResetFactor client={client} user={reset} onClose={() => setReset(undefined)} />}
      {deleted && <DeleteUser client={client} user={deleted} onClose={() => setDeleted(undefined)} />}
    </Panel>
  )
}

function NoUsers({ wanted }: { wanted: string }) {
  const texts = organizationTexts.users
  if (wanted === '') return <EmptyState title={texts.none} />
  return (
    <EmptyState
      title={texts.noMatch(wanted)}
      actions={
        <Button size="sm" onClick={() => search('')}>
          {texts.clearSearch}
        </Button>
      }
    >
      {texts.noMatchHint}
    </EmptyState>
  )
}
