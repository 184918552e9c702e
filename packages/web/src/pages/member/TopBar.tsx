import { useState } from 'react'
import { Shield } from 'lucide-react'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { useStore } from '../../ui/useStore.ts'
import { Brand } from '../../ui/brand/Brand.tsx'
import { buttonClass } from '../../ui/button/Button.tsx'
import { loadLater } from '../../ui/lazy.ts'
import { MemberBell } from '../notices/MemberBell.tsx'
import { LiveIndicator } from './LiveIndicator.tsx'
import { memberTexts as texts } from './texts.ts'
import { UserButton } from './UserButton.tsx'
import '../../app/screens/topbar.css'

const menu = loadLater(() => import('./UserMenu.tsx'))

export function TopBar({ client, user }: { client: Client; user: User }) {
  const UserMenu = useStore(menu)?.UserMenu
  const [wanted, setWanted] = useState(false)
  return (
    <header className="topbar" data-keep-clear="">
      <Brand />
      <LiveIndicator client={client} />
      <div className="end">
        {user.role !== 'user' && (
          <Link className={`${buttonClass({ variant: 'ghost' })} to-admin`} href="/admin" aria-label={texts.admin}>
            <Shield className="ic" />
            <span className="hide-s">{texts.admin}</span>
          </Link>
        )}
        <MemberBell client={client} />
        <span className="divider-v hide-s" aria-hidden="true" />
        {UserMenu ? (
          <UserMenu client={client} user={user} defaultOpen={wanted} />
        ) : (
          <UserButton user={user} aria-busy={wanted} onClick={() => setWanted(true)} />
        )}
      </div>
    </header>
  )
}
