import type { ComponentProps } from 'react'
import { ChevronDown } from 'lucide-react'
import type { User } from '@privity/contract/session'
import { fullName } from '../../features/connections/party.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { dashboardTexts as texts } from './texts.ts'

/** Opens the user menu. */
export function UserButton({ user, ...rest }: ComponentProps<'button'> & { user: User }) {
  const name = fullName(user)
  return (
    <button type="button" className="me" aria-label={texts.userMenu(name)} aria-haspopup="menu" {...rest}>
      <Avatar firstName={user.firstName} lastName={user.lastName} size="sm" own />
      <span className="hide-s trunc">{name}</span>
      <ChevronDown className="ic hide-s" />
    </button>
  )
}
