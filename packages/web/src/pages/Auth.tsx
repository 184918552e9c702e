import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { OpenedLinkNotice } from '../app/screens/OpenedLinkNotice.tsx'
import { Page } from '../app/screens/Page.tsx'
import { invitation } from '../app/invitation/invitation.ts'
import { releaseSession } from '../app/session.ts'
import { AuthHead, AuthShell } from '../features/auth/AuthShell.tsx'
import { ResetPassword } from '../features/auth/ResetPassword.tsx'
import { SignIn, configQuery } from '../features/auth/SignIn.tsx'
import { type NewAccount, SignUp } from '../features/auth/signUp/SignUp.tsx'
import { authTexts } from '../features/auth/texts.ts'
import { recoveryKeyTexts } from '../features/recoveryKey/texts.ts'
import { NewAccountKey } from '../features/recoveryKey/SaveRecoveryKey.tsx'

const signUpMark = '#sign-up'

type Mode = 'signIn' | 'signUp' | 'reset'

/** Opens signing in by default; an invitation or the landing page's sign-up links open signing up. */
function firstMode(): Mode {
  return invitation.get() || location.hash === signUpMark ? 'signUp' : 'signIn'
}

export function Auth() {
  const [mode, setMode] = useState(firstMode)
  useEffect(() => {
    if (location.hash === signUpMark) history.replaceState(history.state, '', location.pathname)
  }, [])
  const [isShared, setShared] = useState(false)
  const sharedComputer = { isShared, setShared }
  const [made, setMade] = useState<NewAccount>()
  const { data: config } = useQuery(configQuery)

  if (made)
    return (
      <Page key="recovery" title={recoveryKeyTexts.page}>
        <AuthShell>
          <section className="auth-form">
            <AuthHead title={recoveryKeyTexts.title}>{recoveryKeyTexts.lead}</AuthHead>
            <NewAccountKey username={made.user.username} recoveryKey={made.recoveryKey} onSaved={releaseSession} />
          </section>
        </AuthShell>
      </Page>
    )

  return (
    <Page key={mode} title={authTexts[mode].page}>
      <AuthShell>
        <OpenedLinkNotice />
        {mode === 'signIn' && (
          <SignIn
            demo={config?.demo}
            onSignUp={() => setMode('signUp')}
            onForgot={() => setMode('reset')}
            sharedComputer={sharedComputer}
          />
        )}
        {mode === 'signUp' && <SignUp onDone={setMade} onSignIn={() => setMode('signIn')} />}
        {mode === 'reset' && (
          <ResetPassword back={authTexts.reset.back} onBack={() => setMode('signIn')} sharedComputer={sharedComputer} />
        )}
      </AuthShell>
    </Page>
  )
}
