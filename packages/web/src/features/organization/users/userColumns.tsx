import { ShieldCheck } from 'lucide-react'
import type { OrganizationUser, UserSort } from '@privity/contract/organization'
import type { Role, User } from '@privity/contract/session'
import { machineTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/names.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { RoleCell } from './RoleCell.tsx'
import { organizationTexts } from '../texts.ts'
import { UserActions } from './UserActions.tsx'
import '../../../ui/badge/badge.css'

interface UserColumns {
  me: User
  isLocked: (user: OrganizationUser) => boolean
  formatDate: (ms: number) => string
  onSetRole: (user: OrganizationUser, role: Role) => void
  onSetActive: (user: OrganizationUser, isActive: boolean) => void
  onResetFactor: (user: OrganizationUser) => void
  onUnlock: (user: OrganizationUser) => void
  onDelete: (user: OrganizationUser) => void
}

export function userColumns({ me, isLocked, formatDate, onSetRole, ...acts }: UserColumns) {
  const { columns, you } = organizationTexts.users
  const made: Column<OrganizationUser, UserSort>[] = [
    {
      label: columns.name,
      sort: 'name',
      placeholder: 140,
      cell: (user) => (
        <span className="adm-who">
          <Avatar firstName={user.firstName} lastName={user.lastName} size="sm" own={user.id === me.id} />
          <span>
            <bdi>{fullName(user)}</bdi>
            {user.id === me.id && <span className="adm-you"> {you}</span>}
          </span>
        </span>
      ),
    },
    {
      label: columns.email,
      sort: 'email',
      placeholder: 170,
      className: 'adm-email',
      cell: (user) => (
        <span className="muted">
          <EmailText address={user.email} />
        </span>
      ),
    },
    {
      label: columns.role,
      sort: 'role',
      placeholder: 110,
      cell: (user) => <RoleCell me={me} user={user} onSetRole={onSetRole} />,
    },
    {
      label: columns.status,
      sort: 'status',
      placeholder: 64,
      cell: (user) => (
        <span>
          <UserStatus user={user} isLocked={isLocked(user)} />
          <SecondFactorMark has={user.hasSecondFactor} />
        </span>
      ),
    },
    {
      label: columns.joined,
      sort: 'joined',
      placeholder: 80,
      cell: (user) => (
        <time className="num" dateTime={machineTime(user.createdAt)}>
          {formatDate(user.createdAt)}
        </time>
      ),
    },
    {
      label: columns.actions,
      right: true,
      placeholder: 120,
      cell: (user) => <UserActions me={me} user={user} isLocked={isLocked(user)} {...acts} />,
    },
  ]
  return made
}

/** Shows whether the user has a second factor. */
export function SecondFactorMark({ has }: { has: boolean }) {
  const texts = organizationTexts.users
  return (
    <span className="adm-factor">
      {has && <ShieldCheck className="ic ic-sm" />}
      {has ? texts.hasFactor : texts.noFactor}
    </span>
  )
}

interface UserStatusProps {
  user: Pick<OrganizationUser, 'isActive' | 'suspended'>
  isLocked: boolean
}

export function UserStatus({ user, isLocked }: UserStatusProps) {
  const texts = organizationTexts.users
  if (user.suspended) return <span className="badge badge-warning">{texts.suspended}</span>
  if (isLocked && user.isActive)
    return (
      <span className="badge badge-warning" title={texts.lockedHint}>
        {texts.locked}
      </span>
    )
  return user.isActive ? (
    <span className="status status-success">
      <span className="dot dot-success" aria-hidden="true" />
      {texts.active}
    </span>
  ) : (
    <span className="status muted">
      <span className="dot dot-off" aria-hidden="true" />
      {texts.inactive}
    </span>
  )
}
