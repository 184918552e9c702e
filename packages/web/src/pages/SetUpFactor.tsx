import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { Page } from '../app/screens/Page.tsx'
import { useAppearance } from '../app/preferences/preferences.ts'
import { AuthHead, AuthShell } from '../features/auth/AuthShell.tsx'
import { RequiredFactor } from '../features/secondFactor/RequiredFactor.tsx'
import { secondFactorTexts } from '../features/secondFactor/texts.ts'

/** Replaces every page until the member has set up the second factor that the organization requires. */
export function SetUpFactor({ user, client }: { user: User; client: Client }) {
  const texts = secondFactorTexts.required
  useAppearance()
  return (
    <Page title={texts.title}>
      <AuthShell>
        <div className="auth-form">
          <AuthHead title={texts.title}>{texts.lead}</AuthHead>
          <RequiredFactor user={user} client={client} />
        </div>
      </AuthShell>
    </Page>
  )
}
