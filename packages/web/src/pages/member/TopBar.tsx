import { useState, type ComponentProps } from 'react'
import { Shield, ChevronDown } from 'lucide-react'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { useStore } from '../../ui/useStore.ts'
import { Brand } from '../../ui/brand/Brand.tsx'
import { buttonClass } from '../../ui/button/Button.tsx'
import { loadLater } from '../../ui/lazy.ts'
import { memberTexts as texts } from '../texts.ts'
import { fullName } from '../../i18n/names.ts'
import { Avatar } from '../../ui/avatar/Avatar.tsx'
import { useWanted } from '../../app/useWanted.ts'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { Bell } from '../../features/notifications/Bell.tsx'
import { fileNameOf, openNotification } from '../notices/notificationTarget.ts'
import '../../app/screens/topbar.css'
import '../../ui/badge/badge.css'
import './dashboardState.css'

const menu = loadLater(() => import('./UserMenu.tsx'))

export function TopBar({ client, user }: { client: Client; user: User }) {
  const UserMenu = useStore(menu)?.UserMenu
  const [wanted, press] = useWanted(menu)
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
          <UserMenu client={client} user={user} defaultOpen={wanted} trigger={<UserButton user={user} />} />
        ) : (
          <UserButton user={user} aria-busy={wanted} onClick={press} />
        )}
      </div>
    </header>
  )
}

function UserButton({ user, ...rest }: ComponentProps<'button'> & { user: User }) {
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

/** State of the socket. Screen readers announce when the connection is lost and restored, but not each attempt. */
function LiveIndicator({ client }: { client: Client }) {
  const live = useStore(client.live)
  const [wasConnected, setWasConnected] = useState(false)
  const [news, setNews] = useState('')
  if (live === 'connected' && !wasConnected) {
    setWasConnected(true)
    if (news) setNews(texts.backAgain)
  }
  if (live === 'disconnected' && wasConnected) {
    setWasConnected(false)
    setNews(texts.lost)
  }
  return (
    <>
      {live === 'connected' ? (
        <span className="status status-success">
          <span className="dot dot-success" aria-hidden="true" />
          {texts.connected}
        </span>
      ) : (
        <span className="status muted">
          <span className="dot dot-off" aria-hidden="true" />
          {live === 'connecting' ? texts.connecting : texts.disconnected}
          {live === 'disconnected' && <span className="subtle hide-s">{texts.trying}</span>}
        </span>
      )}
      <span className="sr" role="status">
        {news}
      </span>
    </>
  )
}

function MemberBell({ client }: { client: Client }) {
  const { preferences } = usePreferences()
  return (
    <Bell
      client={client}
      fileNameOf={fileNameOf}
      onOpen={openNotification}
      browserWanted={preferences.pushNotifications}
    />
  )
}
