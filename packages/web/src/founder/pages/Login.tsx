import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { FounderSignIn } from '@privity/client/founder'
import { Page } from '../../core/Page.tsx'
import { wasSignedIn } from '../console/hint.ts'
import { sessionQuery } from '../console/session.ts'
import { LoginForm } from '../features/session/LoginForm.tsx'
import { SecondFactorForm } from '../features/session/SecondFactorForm.tsx'
import { LoginShell } from '../features/session/LoginShell.tsx'
import { sessionTexts as texts } from '../features/session/texts.ts'

/** Whoever is signed in already goes on; a check that fails is no reason not to show the form. */
export function Login() {
  const client = useQueryClient()
  const { data: session } = useQuery({ ...sessionQuery, enabled: wasSignedIn() })
  const [step, setStep] = useState<Extract<FounderSignIn, { status: 'secondFactor' }>>()
  const isSignedIn = Boolean(session)
  useEffect(() => {
    if (isSignedIn) navigate('/founder/dashboard', { replace: true })
  }, [isSignedIn])

  const enter = () => void client.fetchQuery({ ...sessionQuery, staleTime: 0 })

  return (
    <Page title={texts.page}>
      <LoginShell>
        {step ? (
          <SecondFactorForm step={step} onSignedIn={enter} onBack={() => setStep(undefined)} />
        ) : (
          <LoginForm onSignedIn={enter} onSecondFactor={setStep} />
        )}
      </LoginShell>
    </Page>
  )
}
