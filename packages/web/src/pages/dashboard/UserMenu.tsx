import { LogOut, type LucideIcon } from 'lucide-react'
import type { User } from '@privity/contract/session'
import { signOut } from '../../core/session.ts'
import { fullName } from '../../features/connections/party.ts'
import { Menu, MenuHead, MenuItem, MenuRule } from '../../ui/Menu.tsx'
import { dashboardTexts as texts } from './texts.ts'
import { UserButton } from './UserButton.tsx'

interface MenuEntry {
  label: string
  icon: LucideIcon
  act: () => void
}

/** One line each, in the order shown. */
const entries: readonly MenuEntry[] = [{ label: texts.logout, icon: LogOut, act: () => void signOut() }]

export function UserMenu({ user, defaultOpen }: { user: User; defaultOpen: boolean }) {
  return (
    <Menu label={texts.menu} defaultOpen={defaultOpen} trigger={<UserButton user={user} />}>
      <MenuHead>
        <b>{fullName(user)}</b>
        {user.email}
      </MenuHead>
      <MenuRule />
      {entries.map(({ label, icon: Icon, act }) => (
        <MenuItem key={label} onSelect={act}>
          <Icon className="ic" />
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
