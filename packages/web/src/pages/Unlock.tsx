import { useState } from 'react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { Page } from '../app/screens/Page.tsx'
import { AuthShell } from '../features/auth/AuthShell.tsx'
import { ResetPassword } from '../features/auth/ResetPassword.tsx'
import { authTexts } from '../features/auth/texts.ts'
import { UnlockForm } from '../features/auth/UnlockForm.tsx'

export function Unlock({ user, client }: { user: User; client: Client }) {
  const [forgotten, setForgotten] = useState(false)
  const texts = forgotten ? authTexts.reset : authTexts.unlock
  return (
    <Page key={String(forgotten)} title={texts.page} keepsFocus={!forgotten}>
      <AuthShell>
        {forgotten ? (
          <ResetPassword username={user.username} back={authTexts.unlock.back} onBack={() => setForgotten(false)} />
        ) : (
          <UnlockForm user={user} client={client} onForgot={() => setForgotten(true)} />
        )}
      </AuthShell>
    </Page>
  )
}
