import { Trash2 } from 'lucide-react'
import type { FounderUser, FounderUserSort } from '@privity/contract/founder/users'
import { machineTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import type { Column } from '../../../ui/table/column.ts'
import type { Act } from './userActions.ts'
import { userTexts as texts } from './texts.ts'
import { UserState } from './UserState.tsx'
import '../../../ui/badge/badge.css'

const looks = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

interface UserColumns {
  formatDate: (ms: number) => string
  onAct: (user: FounderUser, act: Act) => void
}

export function userColumns({ formatDate, onAct }: UserColumns): Column<FounderUser, FounderUserSort>[] {
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
      cell: ({ role }) => <span className={`badge ${looks[role]}`}>{role.replaceAll('_', ' ')}</span>,
    },
    { label: columns.status, placeholder: 70, className: 'fl-half', cell: (user) => <UserState user={user} /> },
    {
      label: columns.joined,
      sort: 'joined',
      placeholder: 80,
      className: 'fl-half',
      cell: ({ createdAt }) => (
        <time className="num" dateTime={machineTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      ),
    },
    {
      label: columns.actions,
      right: true,
      placeholder: 130,
      className: 'fl-half fl-do',
      cell: (user) => <UserActs user={user} onAct={onAct} />,
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

function UserActs({ user, onAct }: { user: FounderUser } & Pick<UserColumns, 'onAct'>) {
  const { username, suspended } = user
  return (
    <div className="fl-acts">
      <Button
        size="sm"
        className="fl-toggle"
        aria-label={suspended ? texts.unsuspendName(username) : texts.suspendName(username)}
        onClick={() => onAct(user, suspended ? 'unsuspend' : 'suspend')}
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
        onClick={() => onAct(user, 'remove')}
      >
        <Trash2 className="ic" />
      </Button>
    </div>
  )
}
