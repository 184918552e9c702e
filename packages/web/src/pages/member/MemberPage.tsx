import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { MessagesSquare } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { Page } from '../../app/screens/Page.tsx'
import { useClient, useUser } from '../../app/session.ts'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { TopBar } from './TopBar.tsx'
import { memberEntries } from './entries.ts'
import { memberTexts } from '../texts.ts'
import './memberPage.css'

interface MemberPageProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** Layout of all member pages except the dashboard: top bar, heading, side navigation, content. */
export function MemberPage({ title, lead, children }: MemberPageProps) {
  const client = useClient()
  const user = useUser()
  const [path] = useLocation()
  const nav = useRef<HTMLElement>(null)
  // Centres the current entry if the navigation is a row that scrolls horizontally.
  useLayoutEffect(() => {
    const centre = () => {
      const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
      if (nav.current && current)
        nav.current.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - nav.current.clientWidth / 2
    }
    centre()
    void document.fonts.ready.then(centre)
    addEventListener('resize', centre)
    return () => removeEventListener('resize', centre)
  }, [path])
  return (
    <Page title={title}>
      <SkipLink />
      <TopBar client={client} user={user} />
      <main className="page" id="main" tabIndex={-1}>
        <div className="page-h">
          <h1 className="h-page">{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        <div className="settings">
          <nav className="subnav" ref={nav} aria-label={memberTexts.nav}>
            <Link href="/">
              <MessagesSquare className="ic" />
              {memberTexts.messages}
            </Link>
            {memberEntries.map(({ href, icon: Icon, label }) => (
              <Link key={href} href={href} aria-current={href === path ? 'page' : undefined}>
                <Icon className="ic" />
                {label()}
              </Link>
            ))}
          </nav>
          <div>{children}</div>
        </div>
      </main>
    </Page>
  )
}
