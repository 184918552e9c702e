import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { FounderSignIn } from '@privity/client/founder'
import { Page } from '../../app/screens/Page.tsx'
import { endSession } from '../console/queryClient.ts'
import { rememberSignIn, sessionQuery, wasSignedIn } from '../console/session.ts'
import { FirstPasswordForm } from '../features/session/FirstPasswordForm.tsx'
import { LoginForm } from '../features/session/LoginForm.tsx'
import { SecondFactorForm } from '../features/session/SecondFactorForm.tsx'
import { LoginFrame } from '../features/session/LoginFrame.tsx'
import { sessionTexts as texts } from '../features/session/texts.ts'
import { toast } from '../../ui/toast/toastStore.ts'

/** Redirects a signed-in founder to the console or to a new password. If the check fails, the form is shown. */
export function Login() {
  const client = useQueryClient()
  const { data: session } = useQuery({ ...sessionQuery, enabled: wasSignedIn() })
  const [step, setStep] = useState<Extract<FounderSignIn, { status: 'secondFactor' }>>()
  const [signedInWith, setSignedInWith] = useState<string>()
  const mustReplace = session?.mustReplacePassword === true
  const isOpen = Boolean(session) && !mustReplace
  useEffect(() => {
    if (isOpen) navigate('/founder/dashboard', { replace: true })
  }, [isOpen])

  const refetchSession = () => void client.fetchQuery({ ...sessionQuery, staleTime: 0 })

  function handleSignIn(password: string) {
    setSignedInWith(password)
    refetchSession()
  }

  function handleSignOut() {
    endSession(client)
    rememberSignIn(false)
    setSignedInWith(undefined)
  }

  function handleReplacement() {
    setSignedInWith(undefined)
    toast({ title: texts.first.done, description: texts.first.doneWhy, stays: true })
    refetchSession()
  }

  return (
    <Page title={texts.page}>
      <LoginFrame>
        {mustReplace ? (
          <FirstPasswordForm signedInWith={signedInWith} onReplaced={handleReplacement} onSignedOut={handleSignOut} />
        ) : step ? (
          <SecondFactorForm step={step} onSignedIn={refetchSession} onBack={() => setStep(undefined)} />
        ) : (
          <LoginForm onSignedIn={handleSignIn} onSecondFactor={setStep} />
        )}
      </LoginFrame>
    </Page>
  )
}
