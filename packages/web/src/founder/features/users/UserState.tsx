import { Ban } from 'lucide-react'
import type { FounderUser } from '@privity/contract/founder/users'
import { userTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

/** A suspended user is shown as suspended, even if also inactive. */
export function UserState({ user }: { user: Pick<FounderUser, 'isActive' | 'suspended'> }) {
  if (user.suspended)
    return (
      <span className="badge badge-critical">
        <Ban className="ic ic-sm" />
        {texts.suspended}
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
