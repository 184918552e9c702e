import type { ComponentProps } from 'react'
import { ChevronDown } from 'lucide-react'
import type { User } from '@privity/contract/session'
import { fullName } from '../../i18n/fullName.ts'
import { Avatar } from '../../ui/avatar/Avatar.tsx'
import { memberTexts as texts } from './texts.ts'

export function UserButton({ user, ...rest }: ComponentProps<'button'> & { user: User }) {
  const name = fullName(user)
  return (
    <button type="button" className="me" aria-haspopup="menu" {...rest}>
      <Avatar firstName={user.firstName} lastName={user.lastName} size="sm" own />
      <span className="sr">{texts.userMenu(name)}</span>
      <span className="hide-s trunc" aria-hidden="true">
        {name}
      </span>
      <ChevronDown className="ic hide-s" />
    </button>
  )
}
