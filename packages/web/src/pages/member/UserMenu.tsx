import type { ReactNode } from 'react'
import { Lock, LogOut } from 'lucide-react'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { useSignOut } from '../../app/useSignOut.tsx'
import { lockTexts } from '../../features/lock/texts.ts'
import { lockNow } from '../../features/lock/useLock.ts'
import { fullName } from '../../i18n/names.ts'
import { Menu, MenuHead, MenuItem, MenuRule } from '../../ui/overlay/Menu.tsx'
import { memberEntries } from './entries.ts'
import { memberTexts as texts } from '../texts.ts'

interface UserMenuProps {
  client: Client
  user: User
  defaultOpen: boolean
  trigger: ReactNode
}

export function UserMenu({ client, user, defaultOpen, trigger }: UserMenuProps) {
  const { leave, question } = useSignOut(client)
  return (
    <>
      <Menu label={texts.menu} defaultOpen={defaultOpen} trigger={trigger}>
        <MenuHead>
          <b dir="auto">{fullName(user)}</b>
          {user.email}
        </MenuHead>
        <MenuRule />
        {memberEntries.map(({ href, icon: Icon, label }) => (
          <MenuItem key={href} asChild>
            <Link href={href}>
              <Icon className="ic" />
              {label()}
            </Link>
          </MenuItem>
        ))}
        <MenuRule />
        <MenuItem aria-keyshortcuts="Control+Shift+L" onSelect={() => lockNow(client)}>
          <Lock className="ic" />
          {lockTexts.now}
          <kbd aria-hidden="true">{lockTexts.shortcut}</kbd>
        </MenuItem>
        <MenuItem onSelect={() => void leave()}>
          <LogOut className="ic" />
          {texts.logout}
        </MenuItem>
      </Menu>
      {question}
    </>
  )
}
