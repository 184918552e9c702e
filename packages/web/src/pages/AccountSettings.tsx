import { useClient, useUser } from '../app/session.ts'
import type { SaveKey } from '../features/account/credentials/ActivateKey.tsx'
import { DeleteAccount } from '../features/account/DeleteAccount.tsx'
import { Overview } from '../features/account/Overview.tsx'
import { PasswordForm } from '../features/account/credentials/PasswordForm.tsx'
import { ProfileForm } from '../features/account/ProfileForm.tsx'
import { RecoveryKey } from '../features/account/credentials/RecoveryKey.tsx'
import { Sessions } from '../features/account/Sessions.tsx'
import { Browsers } from '../features/browsers/Browsers.tsx'
import { browsersTexts } from '../features/browsers/texts.ts'
import { accountTexts as texts } from '../features/account/texts.ts'
import { SaveRecoveryKey } from '../features/recoveryKey/SaveRecoveryKey.tsx'
import { Section } from '../ui/section/Section.tsx'
import { browsersAnchor, sessionsAnchor } from './places/shownConversation.ts'
import { MemberPage } from './member/MemberPage.tsx'

export function AccountSettings() {
  const client = useClient()
  const user = useUser()
  const saveKey: SaveKey = (key) => <SaveRecoveryKey username={user.username} {...key} />
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Section title={texts.profile.title} lead={texts.profile.lead}>
        <ProfileForm client={client} user={user} />
      </Section>
      <Section title={texts.overview.title}>
        <Overview client={client} user={user} />
      </Section>
      <Section title={texts.password.title} lead={texts.password.lead}>
        <PasswordForm client={client} user={user} save={saveKey} />
      </Section>
      <Section title={texts.recovery.title} lead={texts.recovery.lead}>
        <RecoveryKey client={client} user={user} save={saveKey} />
      </Section>
      <Section anchor={sessionsAnchor} title={texts.sessions.title} lead={texts.sessions.lead}>
        <Sessions client={client} />
      </Section>
      <Section anchor={browsersAnchor} title={browsersTexts.title} lead={browsersTexts.lead}>
        <Browsers client={client} />
      </Section>
      <Section title={texts.remove.title} lead={texts.remove.lead}>
        <DeleteAccount client={client} user={user} />
      </Section>
    </MemberPage>
  )
}
