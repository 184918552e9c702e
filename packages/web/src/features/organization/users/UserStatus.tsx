import type { OrganizationUser } from '@privity/contract/organization'
import { organizationTexts } from '../texts.ts'
import '../../../ui/badge/badge.css'

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
