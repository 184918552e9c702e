import { Ban, Trash2 } from 'lucide-react'
import type { FounderUser, FounderUserSort } from '@privity/contract/founder/users'
import { formatDate } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Time } from '../../console/values.tsx'
import type { UserChange } from './ConfirmUserChange.tsx'
import { userTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

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
    <div className="fl-acts">
      <Button
        size="sm"
        className="fl-toggle"
        aria-label={suspended ? texts.unsuspendName(username) : texts.suspendName(username)}
        onClick={() => onChange(user, suspended ? 'unsuspend' : 'suspend')}
      >
        {suspended ? texts.unsuspend : texts.suspend}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        icon
        className="fl-delete"
        aria-label={texts.removeName(username)}
        title={texts.removeName(username)}
        onClick={() => onChange(user, 'remove')}
      >
        <Trash2 className="ic" />
      </Button>
    </div>
  )
}
