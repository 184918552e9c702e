import { type ReactNode, useId } from 'react'
import { FileLock, Hourglass, KeyRound } from 'lucide-react'
import { LanguageSwitch } from '../../app/screens/FooterLinks.tsx'
import { SessionEndNotice } from '../../app/screens/SessionEndNotice.tsx'
import { Brand } from '../../ui/brand/Brand.tsx'
import { Cut, cutShapes } from '../../ui/cut/Cut.tsx'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { authTexts } from './texts.ts'
import '../../app/screens/auth.css'
import '../../ui/button/button.css'

const icons = [KeyRound, Hourglass, FileLock]
/** Decorative digits, not a safety number. */
const digits = '718204963350182746590138842067'

/** Page frame for visitors: tagline and features on a dark side with a cut edge, the form beside it. */
export function AuthShell({ children }: { children: ReactNode }) {
  const { tagline, features, foot } = authTexts.side
  const id = useId()
  return (
    <div className="auth">
      <SkipLink />
      <aside className="auth-side on-ink" aria-labelledby={id}>
        <div className="auth-top">
          <Brand />
          <LanguageSwitch />
        </div>
        <p className="tag" id={id}>
          {tagline}
        </p>
        <ul className="feat">
          {features.map(({ title, text }, i) => {
            const Icon = icons[i] ?? KeyRound
            return (
              <li key={title}>
                <Icon className="ic ic-lg" />
                <div>
                  <b>{title}</b>
                  <span>{text}</span>
                </div>
              </li>
            )
          })}
        </ul>
        <p className="foot">{foot}</p>
        <Cut className="vcut" digits={digits} shape={cutShapes.authSide} length={1600} depth={40} vertical />
        <Cut className="hcut-m" digits={digits} shape={cutShapes.authTop} length={900} depth={18} />
      </aside>
      <main className="auth-main" id="main" tabIndex={-1}>
        <SessionEndNotice />
        {children}
      </main>
    </div>
  )
}

export function AuthHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="auth-head">
      <h1>{title}</h1>
      <p className="muted">{children}</p>
    </div>
  )
}
