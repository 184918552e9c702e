import { useId } from 'react'
import { Link } from 'wouter'
import { Page } from '../app/screens/Page.tsx'
import { useClient, useUser } from '../app/session.ts'
import { buttonClass } from '../ui/button/Button.tsx'
import { cutArea, type Tooth } from '../ui/cut/Cut.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { TopBar } from './member/TopBar.tsx'
import { pageTexts } from './texts.ts'
import './notFound.css'

/** The two halves of the number are apart and shifted: nothing fits here. */
const teeth: Tooth[] = [
  { at: 222, width: 16, height: 15 },
  { at: 326, width: 16, height: -15 },
]
const mid = 118
const number = { x: 280, y: 216, textAnchor: 'middle' as const, fontSize: 262 }

export function NotFound() {
  const { title, text, home, login } = pageTexts.notFound
  const id = useId()
  const client = useClient()
  const user = useUser()
  return (
    <Page title={title}>
      <SkipLink />
      <TopBar client={client} user={user} />
      <main className="nf" id="main" tabIndex={-1}>
        <div className="nf-in">
          <svg className="big" viewBox="-30 0 620 268" aria-hidden="true">
            <defs>
              <clipPath id={`${id}up`}>
                <path d={cutArea(teeth, mid, -20)} />
              </clipPath>
              <clipPath id={`${id}down`}>
                <path d={cutArea(teeth, mid, 300)} />
              </clipPath>
            </defs>
            <g transform="translate(-12 0)">
              <g clipPath={`url(#${id}up)`}>
                <text className="up" {...number}>
                  404
                </text>
              </g>
            </g>
            <g transform="translate(20 13)">
              <g clipPath={`url(#${id}down)`}>
                <text className="dn" {...number}>
                  404
                </text>
              </g>
            </g>
          </svg>
          <h1 className="h-page">{title}</h1>
          <p className="muted">{text}</p>
          <div className="row">
            <Link className={buttonClass({ variant: 'primary' })} href="/">
              {home}
            </Link>
            <Link className={buttonClass()} href="/auth">
              {login}
            </Link>
          </div>
        </div>
      </main>
    </Page>
  )
}
