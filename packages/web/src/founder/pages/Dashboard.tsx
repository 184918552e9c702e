import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { Page } from '../../app/screens/Page.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { ErrorState } from '../../ui/feedback/Errors.tsx'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { Spinner } from '../../ui/feedback/Progress.tsx'
import { sessionQuery } from '../console/session.ts'
import { consoleTexts as texts } from '../console/texts.ts'
import { FactorAdvice } from '../features/security/FactorPanel.tsx'
import { IdentityQuestion } from '../features/security/Reauthentication.tsx'
import { ConsoleBar } from './ConsoleBar.tsx'
import { Rail } from './Rail.tsx'
import { sections } from './sections.ts'
import '../../app/screens/starting.css'
import './console.css'

/** Loads nothing of the console before the founder's session is confirmed. */
export function Dashboard() {
  const session = useQuery(sessionQuery)
  if (session.isError)
    return (
      <Gate title={texts.title}>
        <ErrorState message={texts.checkFailed} busy={session.isFetching} onRetry={() => void session.refetch()} />
      </Gate>
    )
  if (session.data === undefined)
    return (
      <div className="starting" role="status">
        <Spinner className="ic-lg" />
        <p>{texts.loading}</p>
      </div>
    )
  if (session.data?.mustReplacePassword === true) return <Redirect to="/founder" replace />
  return session.data === null ? <AccessDenied /> : <Console />
}

function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <main className="con-gate" id="main">
        <h1 className="h-page">{title}</h1>
        {children}
      </main>
    </Page>
  )
}

function AccessDenied() {
  return (
    <Gate title={texts.denied}>
      <p>{texts.deniedWhy}</p>
      <Button variant="primary" onClick={() => navigate('/founder')}>
        {texts.returnToLogin}
      </Button>
    </Gate>
  )
}

function Console() {
  return (
    <Page title={texts.title}>
      <SkipLink>{texts.skip}</SkipLink>
      <ConsoleBar />
      <div className="console">
        <Rail sections={sections} />
        <main className="con-main" id="main" tabIndex={-1}>
          <FactorAdvice />
          {sections.map(({ id, Section }) => (
            <Section key={id} />
          ))}
        </main>
      </div>
      <IdentityQuestion />
    </Page>
  )
}
