import type { FormEvent, ReactNode } from 'react'
import { Brand } from '../../../ui/brand/Brand.tsx'
import { Button, LinkButton } from '../../../ui/button/Button.tsx'
import { Cut, cutShapes } from '../../../ui/cut/Cut.tsx'
import { SkipLink } from '../../../ui/SkipLink.tsx'
import { sessionTexts as texts } from './texts.ts'
import '../../../app/screens/auth.css'

/** Decorative digits, not a safety number. */
const digits = '718204963350182746590138842067'

/** The members' sign-in layout, without anything that invites to sign up. */
export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <div className="auth">
      <SkipLink />
      <aside className="auth-side on-ink">
        {/* Leaves this application: the landing page belongs to the members' one. */}
        <Brand onClick={(event) => (event.preventDefault(), location.assign('/'))} />
        <p className="tag">{texts.tag}</p>
        <p className="foot">{texts.foot}</p>
        <Cut className="vcut" digits={digits} shape={cutShapes.authSide} length={1600} depth={40} vertical />
        <Cut className="hcut-m" digits={digits} shape={cutShapes.authTop} length={900} depth={18} />
      </aside>
      <main className="auth-main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

interface LoginStepProps {
  title: string
  lead: string
  submitLabel: string
  busyLabel: string
  busy: boolean
  /** Called with the page's submission already prevented. */
  onSubmit: () => void
  /** A link below the button that leaves the step. */
  exit?: { label: string; disabled?: boolean; onSelect: () => void }
  children: ReactNode
}

/** The form of one step of signing in. */
export function LoginStep(props: LoginStepProps) {
  const { title, lead, submitLabel, busyLabel, busy, onSubmit, exit, children } = props

  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }

  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <div className="auth-head">
        <h1>{title}</h1>
        <p className="muted">{lead}</p>
      </div>
      {children}
      <Button type="submit" variant="primary" size="lg" block busy={busy}>
        {busy ? busyLabel : submitLabel}
      </Button>
      {exit && (
        <p className="swap">
          <LinkButton disabled={exit.disabled} onClick={exit.onSelect}>
            {exit.label}
          </LinkButton>
        </p>
      )}
    </form>
  )
}
